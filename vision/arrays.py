"""Arrays from a file that anybody may have made (.npz): bounded before anything is unpacked, and never unpickled."""

import io
import math
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A four-player copy of the game takes 45 MB and some hundreds of arrays. A few bytes can claim to be terabytes.
MOST_BYTES = 500_000_000
MOST_ARRAYS = 20_000

# What zipfile raises for archives that are damaged, encrypted or packed in a way it does not know.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, UnicodeDecodeError)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Every array of the file by its name. Raises ValueError, which says why but not where, or OSError.

    Numbers stored with three digits are given as usual ones.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            unpacked = sum(entry.file_size for entry in entries)
            if unpacked > MOST_BYTES or len(entries) > MOST_ARRAYS:
                raise ValueError(f"{len(entries)} arrays of {unpacked / 1e6:.0f} MB are too large to be ours")
            return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in entries}
    except _DAMAGED as error:
        raise ValueError(f"damaged: {error}") from error


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(entry) as packed:
        # Never more than was promised, whatever the packed bytes would unfold into.
        data = bytearray(packed.read(entry.file_size))
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read_header:
        raise ValueError(f"{entry.filename} is of an unknown kind")
    shape, by_columns, dtype = read_header[version](stream)
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise ValueError(f"{entry.filename} does not hold what it says")
    flat: NDArray[Any] = np.frombuffer(data, dtype, offset=stream.tell())
    if dtype == np.float16:
        # Here and now: all stored arrays beside all widened ones would take half as much memory again.
        flat = flat.astype(np.float32)
    return flat.reshape(shape[::-1]).T if by_columns else flat.reshape(shape)
