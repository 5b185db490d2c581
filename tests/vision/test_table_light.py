"""What lies beside a board under glare is evened with the light on the table, not with what the board mirrors."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pack import Board, Kind, Pack, Slot
from vision.read.light import Light, even
from vision.read.table_light import beside, table_mask

Floats = NDArray[np.float32]
SIZE_MM = (100.0, 80.0)
REACH_MM = (-60.0, -10.0, 170.0, 100.0)
TRAY_MM = (-50.0, 0.0, 40.0, 80.0)
WOOD = np.array([60, 90, 130], np.float32)


def pack() -> Pack:
    boards = {name: Board(name, SIZE_MM) for name in ("red", "blue")}
    slots = [
        slot
        for name in boards
        for slot in (
            Slot(f"{name}.tray", name, Kind.COUNT, "token", ("credit",), TRAY_MM),
            Slot(f"{name}.card", name, Kind.TILE, "card", ("a", "b"), (10.0, -10.0, 40.0, 8.0)),
        )
    ]
    return Pack(
        Path(),
        "drawn",
        "a game",
        boards,
        {"token": ("credit",), "card": ("a", "b")},
        {s.id: s for s in slots},
    )


def light(factors: tuple[float, float, float], veil: float) -> Light:
    plain = even(Board("", SIZE_MM))
    grid = plain.grid + np.log(np.array(factors, np.float32))
    return Light(grid, plain.cell_mm, np.exp(2.2 * grid), plain.veil + np.float32(veil))


def surroundings(lit: tuple[float, float, float]) -> NDArray[np.uint8]:
    """A board with a table about it, a token in every fifth place of the tray: one pixel a millimetre."""
    picture = np.zeros((100, 170, 3), np.float32) + WOOD
    picture[20:36, 20:36] = (40, 180, 240)
    picture[10:90, 60:160] = 250
    return np.clip(picture * lit, 0, 255).astype(np.uint8)


@pytest.fixture
def tables() -> dict[str, NDArray[np.bool_]]:
    return {name: table_mask(pack(), name, REACH_MM) for name in ("red", "blue")}


def told(
    lights: dict[str, Light], lit: dict[str, tuple[float, float, float]], tables: dict[str, NDArray[np.bool_]]
) -> dict[str, Floats]:
    pictures = {name: surroundings(lit[name]) for name in lights}
    return beside(lights, pictures, dict.fromkeys(lights, REACH_MM), tables)


def test_the_table_is_where_neither_board_nor_cards_lie(tables: dict[str, NDArray[np.bool_]]) -> None:
    across, down = REACH_MM[2] / tables["red"].shape[1], REACH_MM[3] / tables["red"].shape[0]

    def at(x: float, y: float) -> bool:
        return bool(tables["red"][int((y - REACH_MM[1]) / down), int((x - REACH_MM[0]) / across)])

    assert at(-30, 40)
    assert not at(50, 40)
    assert not at(20, -6)


def test_glare_on_a_board_is_not_taken_for_light_on_the_table(tables: dict[str, NDArray[np.bool_]]) -> None:
    lamp, mirrored = (0.8, 0.9, 1.0), (1.3, 1.4, 2.0)
    lights = {"red": light(lamp, 0.0), "blue": light(mirrored, 0.1)}
    factors = told(lights, {"red": lamp, "blue": lamp}, tables)
    blue = Light(
        lights["blue"].grid, lights["blue"].cell_mm, lights["blue"].gain, lights["blue"].veil, factors["blue"]
    )
    assert np.allclose(blue.over(TRAY_MM, (2, 2)), lamp, rtol=0.08)
    assert np.allclose(blue.over((10.0, 10.0, 20.0, 20.0), (2, 2)), mirrored, rtol=1e-3)
    assert np.allclose(factors.get("red", np.ones(3)), 1, atol=0.01)


def test_without_glare_every_board_speaks_for_its_own_surroundings(
    tables: dict[str, NDArray[np.bool_]],
) -> None:
    day, shade = (1.0, 1.0, 1.0), (0.5, 0.5, 0.5)
    assert told({"red": light(day, 0.0), "blue": light(day, 0.0)}, {"red": day, "blue": shade}, tables) == {}


def test_a_board_alone_and_one_on_a_white_cloth_are_left_as_they_are(
    tables: dict[str, NDArray[np.bool_]],
) -> None:
    lamp = (1.0, 1.0, 1.0)
    assert told({"blue": light((1.5, 1.5, 1.5), 0.1)}, {"blue": lamp}, tables) == {}
    lights = {"red": light(lamp, 0.0), "blue": light(lamp, 0.1)}
    assert "blue" not in told(lights, {"red": (0.3, 0.3, 0.3), "blue": (1.9, 1.9, 1.9)}, tables)
