"""Figures of enrolment and reading: slot errors, how honest the probabilities are, time and memory."""

import json
import resource
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from calibration.enrol import enrol
from companion.bench.figure import Figure, rate
from hardware.simulated.record import Order, record
from vision.look import Looker
from vision.pack import Kind, Slot
from vision.picture import load_picture
from vision.reading import EMPTY, Reading

# Seeds that nothing was chosen on.
SEEDS = (7001, 7002, 7003)
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


def measure(quick: bool, progress: Callable[[str], None]) -> list[Figure]:
    """Teaches and reads simulated tables of art that nothing was chosen on."""
    figures = []
    seeds = SEEDS[:1] if quick else SEEDS
    turns = 3 if quick else 12
    with TemporaryDirectory() as scratch:
        for conditions, limit in (("livingroom", 0.05), ("hard", 0.5)):
            found: list[Answer] = []
            seconds, milliseconds = [], []
            for seed in seeds:
                progress(f"reading: {conditions}, art {seed}")
                folder = Path(scratch) / f"{conditions}-{seed}"
                record(Order(seed=seed, players=4, turns=turns, conditions=conditions), folder)
                start = perf_counter()
                enrol(folder / "pack")
                seconds.append(perf_counter() - start)
                looker = Looker.load(folder / "pack")
                found += answers(looker, folder)
                milliseconds.append(_looking_ms(looker, folder))
            shown = [answer for answer in found if not answer.hidden]
            wrong = sum(not answer.right for answer in shown)
            figures.append(rate(f"slot error, {conditions}", wrong, len(shown), limit, "at most"))
            unseen = len(found) - len(shown)
            figures.append(
                rate(f"visible slots called hidden, {conditions}", unseen, len(found), None, "at most")
            )
            figures.append(
                Figure(
                    f"calibration error, {conditions}", calibration_error(found), "%", 1.0, count=len(shown)
                )
            )
            if conditions == "livingroom":
                figures.append(Figure("enrolment, four players", max(seconds), "s", 60.0, count=len(seconds)))
                figures.append(
                    Figure("boards followed and read, four players, 12 MP", min(milliseconds), "ms", 120.0)
                )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures.append(Figure("memory of this process at its peak", peak, "MB", None, note="simulator included"))
    return figures


def _looking_ms(looker: Looker, folder: Path) -> float:
    """The quickest of a few looks at one frame whose boards are already known."""
    first = json.loads((folder / "truth.jsonl").read_text().splitlines()[0])
    frame = load_picture(folder / first["file"])
    looker.look(frame)
    return min(sum(looker.look(frame).ms.values()) for _ in range(5))
