"""The process in which the running companion is measured.

Its camera process begins by importing this module, as the product's begins with the command: neither may bring much along.
"""

import sys

if __name__ == "__main__":
    import json
    from dataclasses import asdict
    from pathlib import Path

    from companion.bench.whole import play

    print(json.dumps(asdict(play(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))))
