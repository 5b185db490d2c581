"""What is printed differs from piece to piece and from edition to edition."""

import cv2
import numpy as np
import pytest

from hardware.simulated.art import Art
from hardware.simulated.art import edition as kept_edition
from hardware.simulated.layout import DIVERS, REWARDS, SPONSORS, layout
from hardware.simulated.palette import palette


def _apart(one, two):
    """Mean difference in grey levels after a blur of the size the camera makes."""
    pictures = [cv2.GaussianBlur(p[..., :3], (0, 0), 2).astype(float) for p in (one, two)]
    return np.abs(pictures[0] - pictures[1]).mean()


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("diver", [name + side for name in DIVERS for side in ("", "+")]),
        ("sponsor", SPONSORS),
        ("reward", REWARDS),
        ("permanent", ("credits", "prestige")),
    ],
)
def test_no_two_labels_of_a_set_look_alike(edition, kind, labels):
    pictures = {label: edition.renderer.art.picture(f"{kind}:{label}") for label in labels}
    for i, one in enumerate(labels):
        for two in labels[i + 1 :]:
            assert _apart(pictures[one], pictures[two]) > 3, f"{one} and {two}"


def test_a_contract_shows_what_it_asks_for(edition, known_cards):
    art = edition.renderer.art
    assert _apart(art.picture("contract:c01"), art.picture("contract:c02")) > 3


def test_the_same_edition_is_drawn_the_same_again_and_another_is_not(known_cards):
    def drawn(seed):
        return Art(layout(seed, ("red",)), known_cards, 3.0).picture("sponsor:2a")

    assert np.array_equal(drawn(1), drawn(1))
    one, two = drawn(1), cv2.resize(drawn(2), drawn(1).shape[1::-1])
    assert _apart(one, two) > 10


def test_an_edition_that_is_set_again_is_not_drawn_again_unless_its_cards_or_size_differ(known_cards):
    at = layout(1, ("red",))
    first = kept_edition(at, known_cards, 3.0)
    assert kept_edition(layout(1, ("red",)), dict(known_cards), 3.0) is first
    fewer = {name: card for name, card in known_cards.items() if name != "c01"}
    assert kept_edition(at, fewer, 3.0) is not first
    assert kept_edition(at, fewer, 6.0).ppm == 6.0


def test_palettes_of_other_editions_are_other_palettes():
    hues = {tuple(round(c) for c in palette(seed).deep) for seed in range(20)}
    assert len(hues) == 20


def test_a_name_nobody_drew_is_an_error(edition):
    with pytest.raises(ValueError, match="no picture called 'ghost:1'"):
        edition.renderer.art.picture("ghost:1")
