"""Whether the emulated machine read the table and drew the screen: check.py TABLE LOOK.json SAME.json SCREEN.png.

LOOK is what the emulated machine read, SAME what this one reads in the same picture with the same pack.
"""

import json
import sys
from pathlib import Path
from typing import Any

import cv2

# How well the boards are read is bench's business. Here a build that computes wrongly would be far off.
FEWEST_RIGHT = 0.9
FEWEST_ALIKE = 0.97


def main(table: Path, look: Path, same: Path, screen: Path) -> int:
    truth = json.loads((table / "truth.jsonl").read_text().splitlines()[0])
    wanted = {slot: plain(value) for slot, value in truth["slots"].items() if slot not in truth["hidden"]}
    there, here = (labels(json.loads(path.read_text())) for path in (look, same))
    right = sum(there.get(slot, "empty") == value for slot, value in wanted.items())
    alike = sum(there.get(slot, "empty") == here.get(slot, "empty") for slot in wanted)
    good = [
        check(
            right >= FEWEST_RIGHT * len(wanted) > 0, f"read {right} of {len(wanted)} slots of a table rightly"
        ),
        check(alike >= FEWEST_ALIKE * len(wanted), f"read {alike} of them as this machine does"),
    ]
    picture = cv2.imread(str(screen))
    drawn = picture is not None and picture.shape[:2] == (480, 800) and picture.std() > 10
    good.append(check(drawn, f"drew a screen, {screen.name}"))
    return 0 if all(good) else 1


def check(good: bool, what: str) -> bool:
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    return good


def labels(document: Any) -> dict[str, Any]:
    """The likeliest content of every slot of look's document."""
    first = document[0] if isinstance(document, list) else document
    return {slot: likeliest(probabilities) for slot, probabilities in first["slots"].items()}


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
    raise SystemExit(main(*map(Path, sys.argv[1:5])))
