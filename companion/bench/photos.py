"""Figures of reading on photographs that anybody kept: a folder with `pack/` and `truth.jsonl` beside its pictures.

The pack is taught from its own `enrol.toml` in a copy; the folder is left as it is.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time

from calibration.enrol import enrol
from companion.bench.figure import Figure
from companion.bench.read import answers, errors
from vision.look import Looker
from vision.pack import TAUGHT_SLOTS

LIMIT = 0.05  # % of slots, as on simulated tables


def measure(folders: Sequence[Path], progress: Callable[[str], None]) -> list[Figure]:
    """Raises ValueError or OSError with a sentence for a folder that cannot be scored."""
    return [figure for folder in folders for figure in _scored(folder, progress)]


def _scored(folder: Path, progress: Callable[[str], None]) -> Iterator[Figure]:
    for needed in ("pack/pack.toml", "pack/enrol.toml", "truth.jsonl"):
        if not (folder / needed).is_file():
            raise ValueError(f"{folder} has no {needed}; docs/measuring.md says what such a folder holds")
    name = folder.resolve().name
    with tempfile.TemporaryDirectory() as scratch:
        pack_dir = Path(scratch) / "pack"
        # What was taught before would only be in the way of how it is taught today.
        shutil.copytree(folder / "pack", pack_dir, ignore=shutil.ignore_patterns(Path(TAUGHT_SLOTS).parts[0]))
        progress(f"{name}: teaching its pack")
        began_s = process_time()
        enrol(pack_dir)
        took_s = process_time() - began_s
        progress(f"{name}: reading its pictures")
        found = list(answers(Looker.load(pack_dir), folder))
    yield from errors(found, name, LIMIT)
    yield Figure(f"enrolment, {name}", took_s, "s", 60.0, note="seconds of one core")
