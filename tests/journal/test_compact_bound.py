"""A journal is parsed as untrusted."""

import zlib

import pytest

from companion.journal.compact import MOST_BYTES, unpack


def test_a_record_that_unfolds_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match="damaged record"):
        unpack(zlib.compress(b" " * (MOST_BYTES + 1) + b"1", level=9))
