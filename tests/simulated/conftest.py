"""One small table for all tests that only look at it; drawing an edition takes a second."""

import pytest

from companion.rules import Position, sample_cards
from hardware.simulated.contents import contents
from hardware.simulated.press import start
from hardware.simulated.studio import Studio

SIZE_PX = (1024, 576)


@pytest.fixture(scope="session")
def position() -> Position:
    return start(3, 2, sample_cards())


@pytest.fixture(scope="session")
def known_cards() -> dict[str, dict[str, object]]:
    return {card["id"]: card for card in sample_cards().to_json()["contracts"]}


@pytest.fixture(scope="session")
def edition(position: Position, known_cards: dict[str, dict[str, object]]) -> Studio:
    """Do not change it: `studio` gives one to play with."""
    return Studio.build(3, [player.colour for player in position.players], known_cards, "easy", SIZE_PX)


@pytest.fixture
def studio(edition: Studio, position: Position, known_cards: dict[str, dict[str, object]]) -> Studio:
    """A table of its own that shares the drawn pictures."""
    fresh = Studio.build(3, edition.layout.colours, known_cards, "easy", SIZE_PX)
    fresh.renderer.art = edition.renderer.art
    fresh.lay(contents(position, fresh.layout))
    return fresh
