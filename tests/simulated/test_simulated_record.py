"""`simulate` writes a pack that can be taught, frames, and the truth about them."""

import json
import tomllib

import cv2
import pytest

from companion.rules import Position, sample_cards
from hardware.simulated.record import Order, check_folder, record


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("simulated") / "game"
    said = []
    count = record(Order(6, 2, 2, "livingroom", 1.0, (960, 540)), path, said.append)
    assert count == len(list((path / "frames").iterdir())) and said
    return path


def _lines(folder):
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]


def test_the_start_is_what_people_know(folder):
    doc = json.loads((folder / "start.json").read_text())
    assert doc["deck"] is None and doc["bag"] is None
    assert Position.from_json(doc, sample_cards()).to_play == 0


def test_each_press_has_a_frame_and_a_line_of_truth(folder):
    lines = _lines(folder)
    assert [line["file"] for line in lines] == [f"frames/{i:03}.jpg" for i in range(1, len(lines) + 1)]
    assert sum(line["mistake"] is None for line in lines) == 2
    assert any(line["mistake"] for line in lines)
    pack = tomllib.loads((folder / "pack" / "pack.toml").read_text())
    for line in lines:
        assert set(line["slots"]) == {slot["id"] for slot in pack["slots"]}
        assert set(line["boards"]) == set(pack["boards"])
        assert line["slots"]["colony.contract.3"] == "empty"
        assert {"hidden", "displaced", "washed", "partial", "conditions", "position", "turn"} <= set(line)
        height, width = cv2.imread(str(folder / line["file"])).shape[:2]
        assert (width, height) == (960, 540)


def test_positions_follow_from_one_another(folder):
    position = Position.from_json(json.loads((folder / "start.json").read_text()), sample_cards())
    for line in _lines(folder):
        if line["mistake"] is None:
            after = Position.from_json(line["position"], sample_cards())
            assert after.round >= position.round and after.to_play != line["player"]
            position = after


def test_four_photographs_show_every_piece(folder):
    enrol = tomllib.loads((folder / "pack" / "enrol.toml").read_text())
    pack = tomllib.loads((folder / "pack" / "pack.toml").read_text())
    photos = enrol["photos"]
    assert len(photos) <= 5
    assert all((folder / "pack" / photo["file"]).is_file() for photo in photos)
    assert set(photos[0]["corners_px"]) == set(pack["boards"]) and photos[0]["empty"]
    kinds = {slot["id"]: slot["pieces"] for slot in pack["slots"]}
    seen = {(piece.split(":", 1)[0], piece.split(":", 1)[1]) for p in photos for piece in _loose(p)}
    places = set()
    for photo in photos:
        for slot, content in photo.get("slots", {}).items():
            if isinstance(content, dict):
                seen |= {
                    (kinds[slot], name) for name, count in content.items() if count or kinds[slot] != "xkey"
                }
                places |= {(slot, place) for place in content.values()}
            elif kinds[slot] == "cube":
                seen |= {("cube", letter) for letter in content}
            else:
                seen.add((kinds[slot], content))
    for name, labels in pack["pieces"].items():
        assert {(name, label) for label in labels} <= seen, name
    assert {place for slot, place in places if slot.endswith(".hacker")} == {0, 1, 2, 3}


def _loose(photo):
    return [entry["piece"] for entry in photo.get("loose", [])]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="not empty"):
        check_folder(tmp_path)
    with pytest.raises(ValueError, match="is a file"):
        check_folder(tmp_path / "notes.txt")
    check_folder(tmp_path / "new")
