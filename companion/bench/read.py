"""Figures of enrolment and reading: slot errors, and how honest the probabilities are."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.bench.figure import Figure, rate
from companion.bench.recorded import album, enrol_s, orders, recorded
from vision.look import Looker
from vision.pack import Kind, Slot
from vision.picture import load_picture
from vision.reading import EMPTY, Reading

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)


@dataclass(frozen=True)
class Answer:
    """One slot of one frame: was the likeliest content right, how sure was it, or was it called hidden."""

    slot: str
    kind: Kind
    right: bool
    sure: float
    hidden: bool


def answers(looker: Looker, folder: Path) -> Iterator[Answer]:
    """Every visible slot of a folder with `truth.jsonl`, as it is read; frames follow each other."""
    for line in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        reading = looker.look(load_picture(folder / truth["file"]))
        apart = {slot for key in ("hidden", "partial", "washed", "displaced") for slot in truth.get(key, [])}
        for name, content in truth["slots"].items():
            slot = looker.pack.slots.get(name)
            if slot is not None and name not in apart:
                yield _answer(slot, content, reading)


def _answer(slot: Slot, content: Any, reading: Reading) -> Answer:
    if slot.id in reading.hidden:
        return Answer(slot.id, slot.kind, False, 0.0, True)
    if slot.kind is Kind.TILE:
        seen = reading.tiles[slot.id]
        best = max(seen, key=seen.__getitem__)
        return Answer(slot.id, slot.kind, best == (content or EMPTY), seen[best], False)
    wanted = _numbers(slot, content)
    counts = reading.counts[slot.id]
    likeliest = {label: max(numbers, key=numbers.__getitem__) for label, numbers in counts.items()}
    right = all(likeliest.get(label, 0) == number for label, number in wanted.items())
    sure = float(np.prod([max(numbers.values()) for numbers in counts.values()]))
    return Answer(slot.id, slot.kind, right, sure, False)


def _numbers(slot: Slot, content: Any) -> Mapping[str, int]:
    if isinstance(content, str):
        return {label: content.count(label) for label in slot.labels}
    if slot.kind is Kind.TRACK:
        return dict(content)
    return {label: content.get(label, 0) for label in slot.labels}


def calibration_error(found: list[Answer]) -> float:
    """Expected calibration error in percent: by how much, on average, a stated probability is off."""
    sure = np.array([answer.sure for answer in found if not answer.hidden])
    right = np.array([answer.right for answer in found if not answer.hidden], float)
    total = 0.0
    for low, high in zip(BINS, (*BINS[1:-1], 1.01), strict=False):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            total += abs(float(sure[inside].mean() - right[inside].mean())) * int(inside.sum())
    return 100 * total / max(len(sure), 1)


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Teaches and reads simulated tables of art that nothing was chosen on."""
    figures = []
    seconds = []
    limits = (("livingroom", 0.05), ("hard", 0.5))
    for conditions, limit in limits[:1] if quick else limits:
        found: list[Answer] = []
        for order in orders(conditions, quick):
            folder = recorded(order, scratch, progress)
            progress(f"reading: {conditions}, art {order.seed}")
            found += answers(Looker.load(folder / "pack"), folder)
            seconds.append(enrol_s(folder))
            if conditions == "livingroom":
                # What the timed part looks at is drawn here: parts run side by side, and this edition is drawn already.
                album(order, scratch, progress)
        figures += errors(found, conditions, limit)
    note = "seconds of one core"
    figures.append(Figure("enrolment, four players", max(seconds), "s", 60.0, count=len(seconds), note=note))
    return figures


def errors(found: list[Answer], conditions: str, limit: float) -> list[Figure]:
    shown = [answer for answer in found if not answer.hidden]
    wrong = sum(not answer.right for answer in shown)
    unseen = len(found) - len(shown)
    figures = [rate(f"slot error, {conditions}", wrong, len(shown), limit, "at most")]
    for kind in sorted({answer.kind for answer in shown}, key=list(Kind).index):
        own = [answer for answer in shown if answer.kind is kind]
        missed = sum(not answer.right for answer in own)
        figures.append(rate(f"slot error, {conditions}, {kind}", missed, len(own), None, "at most"))
    off = calibration_error(found)
    return [
        *figures,
        rate(f"visible slots called hidden, {conditions}", unseen, len(found), None, "at most"),
        Figure(f"calibration error, {conditions}", off, "%", 1.0, count=len(shown)),
    ]
