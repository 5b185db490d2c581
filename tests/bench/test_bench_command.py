"""`bench`: one table or one document, parts side by side, and any folder of photographs scored."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.bench import photos
from companion.bench.figure import Figure, rate
from companion.bench.together import run_together
from companion.cli import bench as command
from companion.cli import main
from vision.pack import Kind, Slot
from vision.reading import Reading

FIGURES = [Figure("a look", 50.0, "ms", 100.0), rate("slots", 3, 4, 0, "at most"), Figure("seen", 7.0, "")]


def pretended(part: str, quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    progress(f"quick: {quick}")
    return [Figure(part, 1.0, "s")]


def test_parts_run_side_by_side_and_every_one_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []
    known: dict[str, list[Figure]] = {}
    figures = run_together(
        ("one", "two"), True, lambda *heard: told.append(heard), tmp_path, known.__setitem__, pretended
    )
    assert {part: [figure.name for figure in of] for part, of in figures.items()} == {
        "one": ["one"],
        "two": ["two"],
    }
    assert known == figures, "who stops a long run keeps what was measured"
    assert sorted(told) == [("one", "quick: True"), ("two", "quick: True")]


def test_the_document_has_every_figure_with_its_ratio_to_the_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "run_part", lambda part, quick, progress, scratch: FIGURES)
    assert main(["bench", "--only", "journal", "--json"]) == 1, "a limit is missed"
    printed = capsys.readouterr()
    assert "journal: a look: 50 ms" in printed.err, "said as soon as it is known"
    document = json.loads(printed.out)
    look, slots, seen = document["figures"]["journal"]
    assert (look["ratio"], look["reached"]) == (0.5, True)
    assert (slots["ratio"], slots["reached"], slots["count"]) == (None, False, 4)
    assert slots["low"] < slots["value"] == 75.0 < slots["high"]
    assert (seen["ratio"], seen["reached"]) == (None, None)


def test_a_share_of_nothing_is_null_and_the_document_stays_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = [rate("slots", 0, 0, 5, "at most")]
    monkeypatch.setattr(command, "run_part", lambda part, quick, progress, scratch: nothing)
    main(["bench", "--only", "journal", "--json"])
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    (slots,) = document["figures"]["journal"]
    assert (slots["value"], slots["ratio"], slots["count"]) == (None, None, 0)


def test_a_folder_of_photographs_is_scored_with_a_pack_taught_in_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "attic"
    (folder / "pack" / "taught").mkdir(parents=True)
    for name in ("pack.toml", "enrol.toml", "taught/slots.npz"):
        (folder / "pack" / name).write_text("as it was")
    cv2.imwrite(str(folder / "1.png"), np.zeros((60, 80, 3), np.uint8))
    contents = {"a": "spy", "b": "trader", "c": "spy", "d": "spy"}
    line = {"file": "1.png", "slots": contents, "hidden": ["d"]}
    (folder / "truth.jsonl").write_text(json.dumps(line))
    taught: list[Path] = []

    def teach(pack_dir: Path) -> None:
        assert not (pack_dir / "taught").exists()
        taught.append(pack_dir)

    def load(pack_dir: Path) -> object:
        assert taught == [pack_dir]
        reading = Reading({}, {"a": {"spy": 0.9}, "b": {"spy": 0.6}}, {}, frozenset({"c"}))
        labels, rect = ("spy", "trader"), (0, 0, 9, 9)
        slots = {name: Slot(name, "board", Kind.TILE, "diver", labels, rect) for name in "abcd"}
        return SimpleNamespace(pack=SimpleNamespace(slots=slots), look=lambda bgr: reading)

    monkeypatch.setattr(photos, "enrol", teach)
    monkeypatch.setattr(photos.Looker, "load", load)
    assert main(["bench", "--photos", str(folder), "--json"]) == 1
    figures = {figure["name"]: figure for figure in json.loads(capsys.readouterr().out)["figures"]["photos"]}
    assert (figures["slot error, attic"]["value"], figures["slot error, attic"]["count"]) == (50.0, 2)
    assert [name for name in figures if name.startswith("slot error, attic,")] == [
        "slot error, attic, tile"
    ], "the pack has no other kind"
    hidden = figures["visible slots called hidden, attic"]
    assert (round(hidden["value"], 1), hidden["count"]) == (33.3, 3), "one of three that can be seen"
    assert figures["calibration error, attic"]["count"] == 2
    assert folder not in taught[0].parents and (folder / "pack/taught/slots.npz").read_text() == "as it was"


def test_a_folder_without_truth_is_one_line_and_exit_code_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--photos", str(tmp_path)]) == 2
    assert "has no pack/pack.toml" in capsys.readouterr().err
