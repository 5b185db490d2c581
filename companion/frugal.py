"""Memory that is not hoarded, and time that is not spent looking for garbage."""

import ctypes
import gc

_M_ARENA_MAX = -8  # from glibc's malloc.h
_MANY_OBJECTS = 50_000


def hand_back() -> None:
    """Gives memory that is free inside the heap back to the system: reading the boards takes tens of megabytes for a moment."""
    allocator = ctypes.CDLL(None)
    if hasattr(allocator, "malloc_trim"):
        allocator.malloc_trim(0)


def share_one_heap() -> None:
    """Has all threads take memory from one heap. Each would keep a heap of its own, and what it once held for good.

    Ours allocate large arrays now and then, so they do not wait for each other. Without glibc nothing happens.
    """
    allocator = ctypes.CDLL(None)
    if hasattr(allocator, "mallopt"):
        allocator.mallopt(_M_ARENA_MAX, 1)


def collect_seldom() -> None:
    """Leaves out what lives to the end and looks for circles of garbage seldom: positions and steps make none.

    An eighth of the time of a long search otherwise, and several frames of the screen.
    """
    gc.freeze()
    gc.set_threshold(_MANY_OBJECTS, 50, 50)
