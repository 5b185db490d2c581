"""Memory that threads do not hoard: a Pi has little of it."""

import ctypes

_M_ARENA_MAX = -8  # from glibc's malloc.h


def share_one_heap() -> None:
    """Has all threads take memory from one heap. Each would keep a heap of its own, and what it once held for good.

    Ours allocate large arrays now and then, so they do not wait for each other. Without glibc nothing happens.
    """
    allocator = ctypes.CDLL(None)
    if hasattr(allocator, "mallopt"):
        allocator.mallopt(_M_ARENA_MAX, 1)
