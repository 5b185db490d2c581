"""Bare places vouch for others of their print; nothing that lies over several of them does."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.read import vouch
from vision.read.compare import Match, Places
from vision.read.vouch import Bare, Hearing, among_others, doubtful, middle

# A board of five by five places, 20 mm apart.
AT_MM = np.array([(20.0 * column, 20.0 * row) for row in range(5) for column in range(5)])


@pytest.mark.parametrize("count", [1, 3, 5])
def test_the_middle_of_rows_is_their_median(count: int) -> None:
    rows = np.random.default_rng(count).normal(size=(count, 50)).astype(np.float32)
    assert np.array_equal(middle(list(rows)), np.median(rows, axis=0))


def test_strange_places_vouch_where_those_around_them_are_recognised() -> None:
    strange = np.zeros(25, np.bool_)
    strange[[0, 7, 13, 24]] = True
    assert among_others(strange, np.ones(25, np.bool_), AT_MM).tolist() == [0, 7, 13, 24]


def test_a_strange_place_that_rather_holds_a_piece_vouches_for_nothing() -> None:
    strange = np.zeros(25, np.bool_)
    strange[[7, 13]] = True
    bare = np.ones(25, np.bool_)
    bare[7] = False
    assert among_others(strange, bare, AT_MM).tolist() == [13]


def test_what_a_cloth_lies_over_vouches_for_nothing() -> None:
    strange = np.zeros(25, np.bool_)
    strange[[6, 7, 8, 11, 12, 13]] = True
    assert among_others(strange, np.ones(25, np.bool_), AT_MM).tolist() == []


def test_a_plain_square_that_passes_for_a_plain_piece_is_heard_where_its_print_is_recognised_too() -> None:
    found = Match(
        to_label=np.zeros((3, 1), np.float32),
        to_empty=np.array([-9.0, -9.0, 9.0], np.float32),
        likeness=np.array([0.8, 0.8, 0.4], np.float32),
        bare_likeness=np.array([0.55, 0.3, 0.8], np.float32),
    )
    assert doubtful(0.75, found).tolist() == [0]


def test_a_piece_seen_through_a_veil_is_not_bare_because_its_peers_wear_the_veil_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two places that peers call bare: one a key that a veil had paled, one in plain light."""

    def match(to_empty: list[float]) -> Match:
        two = np.zeros(2, np.float32)
        return Match(np.zeros((2, 1), np.float32), np.array(to_empty, np.float32), two, two)

    monkeypatch.setattr(vouch, "compare", lambda *about, **light: match([3.0, 3.0]))
    aligned: Any = SimpleNamespace(of=lambda some: None)
    rows = np.zeros((2, 4), np.float32)
    hearing = Hearing(
        SimpleNamespace(),  # type: ignore[arg-type]
        Places(aligned, rows, rows),
        Bare(rows, lambda some: rows),
        unveiling=np.array([-8.0, 0.0], np.float32),
    )
    held = hearing._held_against(match([-9.5, -1.0]), np.array([0, 1]), rows)
    assert held.to_empty.tolist() == [-5.0, 3.0]
