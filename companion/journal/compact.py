"""Small forms for the journal: a position in about 0.6 KB, the reading behind a turn in about 1 KB.

>>> unpack(pack({"store": {"metal": 1}}))
{'store': {'metal': 1}}
"""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from vision.reading import BoardSeen, Reading

# Below this the referee cannot tell the difference between two turns any more, and it is most of the bytes.
SMALLEST_P = 0.01
# Probabilities are kept in hundredths: finer than any classifier is calibrated.
PARTS = 100
# Far more than any position or reading: a few bytes of a damaged file must not unfold into all of the memory.
MOST_BYTES = 4_000_000


def pack(document: Any) -> bytes:
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode(), level=9)


def unpack(packed: bytes) -> Any:
    """Raises ValueError when the bytes are not what `pack` gave."""
    try:
        return parse(zlib.decompressobj().decompress(packed, MOST_BYTES))
    except (zlib.error, ValueError) as error:
        raise ValueError(f"damaged record of {len(packed)} bytes: {error}") from error


def parse(text: str | bytes) -> Any:
    """The document in a JSON text of bounded size and depth. Raises ValueError."""
    if len(text) > MOST_BYTES:
        raise ValueError(f"a document of {len(text) / 1e6:.0f} MB is too large to be ours")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply to be ours") from error


def pack_reading(reading: Reading) -> bytes:
    """A label that stands alone is kept as its name only; times are not kept."""
    return pack(
        {
            "b": {
                name: [round(xy) for corner in seen.corners_px for xy in corner] if seen.found else None
                for name, seen in reading.boards.items()
            },
            "t": {slot: _shrunk(labels) for slot, labels in reading.tiles.items()},
            "c": {
                slot: {label: _shrunk(numbers) for label, numbers in labels.items()}
                for slot, labels in reading.counts.items()
            },
            "h": sorted(reading.hidden),
        }
    )


def unpack_reading(packed: bytes) -> Reading:
    document = unpack(packed)
    boards = {
        name: BoardSeen(False)
        if xys is None
        else BoardSeen(True, tuple(zip(map(float, xys[::2]), map(float, xys[1::2]), strict=True)))
        for name, xys in document["b"].items()
    }
    tiles = {slot: _grown(labels) for slot, labels in document["t"].items()}
    counts = {
        slot: {
            label: {int(number): p for number, p in _grown(numbers).items()}
            for label, numbers in labels.items()
        }
        for slot, labels in document["c"].items()
    }
    return Reading(boards, tiles, counts, frozenset(document["h"]))


def _shrunk(ps: Mapping[Any, float]) -> Any:
    kept = {str(key): round(p * PARTS) for key, p in ps.items() if p >= SMALLEST_P}
    if not kept and ps:
        return str(max(ps, key=lambda key: ps[key]))
    return next(iter(kept)) if list(kept.values()) == [PARTS] else kept


def _grown(kept: Any) -> dict[str, float]:
    return {kept: 1.0} if isinstance(kept, str) else {key: part / PARTS for key, part in kept.items()}
