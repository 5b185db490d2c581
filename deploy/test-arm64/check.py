"""Whether the emulated machine read the table and drew the screen: check.py TABLE LOOK.json SCREEN.png."""

import json
import sys
from pathlib import Path
from typing import Any

import cv2

FEWEST_RIGHT = 0.98  # the accuracy itself is bench's business; here a wrong build would be far off


def main(table: Path, look: Path, screen: Path) -> int:
    truth = json.loads((table / "truth.jsonl").read_text().splitlines()[0])
    document = json.loads(look.read_text())
    seen = (document[0] if isinstance(document, list) else document)["slots"]
    wanted = {slot: value for slot, value in truth["slots"].items() if slot not in truth["hidden"]}
    right = sum(likeliest(seen.get(slot, {})) == plain(value) for slot, value in wanted.items())
    read = right >= FEWEST_RIGHT * len(wanted) > 0
    print(f"{'ok  ' if read else 'FAIL'} read {right} of {len(wanted)} slots of a simulated table rightly")

    picture = cv2.imread(str(screen))
    drawn = picture is not None and picture.shape[:2] == (480, 800) and picture.std() > 10
    print(f"{'ok  ' if drawn else 'FAIL'} drew a screen, {screen.name}")
    return 0 if read and drawn else 1


def likeliest(probabilities: Any) -> Any:
    """A slot of look's document in the form of `plain`: a label, or counts and places by name."""
    if not probabilities or not isinstance(next(iter(probabilities.values())), dict):
        return max(probabilities, key=probabilities.get, default="empty")
    best = {name: int(max(counts, key=counts.get)) for name, counts in probabilities.items() if counts}
    return plain(best)


def plain(value: Any) -> Any:
    """The truth of a slot: cubes are counted, zeros left out, and nothing at all is "empty"."""
    if isinstance(value, str) and set(value) <= set("mpft"):
        value = {letter: value.count(letter) for letter in value}
    if isinstance(value, dict):
        value = {name: count for name, count in value.items() if count}
    return value or "empty"


if __name__ == "__main__":
    raise SystemExit(main(*map(Path, sys.argv[1:4])))
