"""A process that does nothing but look: loads a taught pack, looks at the first frames of a folder, and prints the
most memory it took, in megabytes.
"""

import json
import sys
from pathlib import Path

from companion.frugal import share_one_heap
from vision.look import Looker
from vision.picture import load_picture


def main(folder: Path, frames: int) -> None:
    share_one_heap()
    looker = Looker.load(folder / "pack")
    for line in (folder / "truth.jsonl").read_text().splitlines()[:frames]:
        looker.look(load_picture(folder / json.loads(line)["file"]))
    print(peak_mb())


def peak_mb() -> float:
    """Of this program alone: `getrusage` would count what the process that started it held at that moment."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
