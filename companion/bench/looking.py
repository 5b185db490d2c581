"""A process that does nothing but look: loads a taught pack, looks at the first frames of a folder, and prints the
most memory it took, in megabytes.
"""

import json
import resource
import sys
from pathlib import Path

from vision.look import Looker
from vision.picture import load_picture


def main(folder: Path, frames: int) -> None:
    looker = Looker.load(folder / "pack")
    for line in (folder / "truth.jsonl").read_text().splitlines()[:frames]:
        looker.look(load_picture(folder / json.loads(line)["file"]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
