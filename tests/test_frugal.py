"""Threads share one heap, seen by how much address space a process with eight of them takes."""

import subprocess
import sys

PROGRAM = """
import sys, threading
from companion.frugal import share_one_heap
if sys.argv[1] == "shared":
    share_one_heap()
here = threading.Barrier(9)
def hoard():
    kept = [bytearray(4000) for _ in range(500)]
    here.wait()
    here.wait()
threads = [threading.Thread(target=hoard) for _ in range(8)]
for thread in threads:
    thread.start()
here.wait()
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize")) // 1024)
here.wait()
"""


def address_space_mb(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], check=True, capture_output=True, text=True, timeout=60
    )
    return int(done.stdout)


def test_threads_do_not_keep_heaps_of_their_own() -> None:
    assert address_space_mb("shared") < address_space_mb("apart") - 200
