"""Pictures between processes: whole or not at all, and no memory kept for one that was taken."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hardware.frame import Frame, Picture
from hardware.ring import Header, Overtaken, Ring

HEIGHT, WIDTH = 300, 400


@pytest.fixture
def ring() -> Iterator[Ring]:
    ring = Ring(1, HEIGHT * WIDTH)
    yield ring
    ring.close()
    ring.unlink()


def picture(seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)


def shared_kb() -> int:
    """What of this process lies in shared memory now."""
    status = Path(f"/proc/{os.getpid()}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssShmem:"))


def test_a_picture_comes_out_as_it_went_in(ring: Ring) -> None:
    header = ring.write(Frame(picture(1), 2.5, {"LensPosition": 1.0}))
    frame = ring.read(header)
    assert np.array_equal(frame.bgr, picture(1))
    assert (frame.time_s, frame.metadata) == (2.5, {"LensPosition": 1.0})


def test_a_picture_that_was_taken_leaves_no_memory_behind(ring: Ring) -> None:
    before_kb = shared_kb()
    header = ring.write(Frame(picture(1), 0.0))
    assert shared_kb() - before_kb > 300
    assert np.array_equal(ring.take(header).bgr, picture(1))
    assert shared_kb() - before_kb < 20


def test_the_next_picture_finds_room_after_one_was_taken(ring: Ring) -> None:
    ring.take(ring.write(Frame(picture(1), 0.0)))
    assert np.array_equal(ring.take(ring.write(Frame(picture(2), 0.0))).bgr, picture(2))


def test_a_picture_that_was_written_over_is_not_mixed_up(ring: Ring) -> None:
    first = ring.write(Frame(picture(1), 0.0))
    ring.write(Frame(picture(2), 0.0))
    with pytest.raises(Overtaken):
        ring.read(first)


def test_a_picture_too_large_for_the_ring_is_refused(ring: Ring) -> None:
    with pytest.raises(ValueError, match="larger than the 120000"):
        ring.write(Frame(np.zeros((HEIGHT + 1, WIDTH, 3), np.uint8), 0.0))


def test_a_header_goes_through_json() -> None:
    header = Header(3, HEIGHT, WIDTH, 1.5, {"a": [1]})
    assert Header.from_json(header.to_json()) == header
