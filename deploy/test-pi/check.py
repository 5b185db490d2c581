"""Runs inside the Debian root: our camera process with the real picamera2 on libcamera's virtual camera."""

import os
import queue
import signal
import sys
import time
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from virtual import virtual_camera

from hardware.frame import CameraLost, Frame
from hardware.locks import Locks
from hardware.process import CameraProcess
from hardware.shrink import shrink

PATIENT_S = 60.0
FRAMES = Path("/srv/frames")


def check(what: str, good: bool, detail: str = "") -> None:
    print(f"{'ok  ' if good else 'FAIL'} {what}{f' ({detail})' if detail else ''}", flush=True)
    if not good:
        sys.exit(1)


def main() -> None:
    lost: queue.Queue[str] = queue.Queue()
    back: queue.Queue[bool] = queue.Queue()
    camera = CameraProcess("virtual", virtual_camera, on_lost=lost.put, on_back=lambda: back.put(True))
    began_s = time.monotonic()
    camera.open()
    check("the camera process starts", True, f"first small picture after {time.monotonic() - began_s:.1f} s")

    times_s = [camera.small(PATIENT_S).time_s for _ in range(10)]
    check("small pictures keep arriving, each newer", times_s == sorted(set(times_s)))

    began_s = time.monotonic()
    full = picture(camera)
    check(
        "a full picture has the sensor's size",
        full.bgr.shape == (2592, 4608, 3),
        f"{time.monotonic() - began_s:.2f} s",
    )
    check("it was taken after it was asked for", full.time_s >= began_s)

    fed = [cv2.imread(str(path)) for path in sorted(FRAMES.glob("*.jpg"))]
    distance = min(apart(shrink(full.bgr), one) for one in fed)
    check(
        "it shows one of the pictures that were fed", distance < 3, f"mean difference {distance:.1f} of 255"
    )

    # The virtual camera changes its picture all the time; the streams agree if some small one matches the full one.
    distance = min(apart(camera.small(PATIENT_S).bgr, full.bgr) for _ in range(20))
    check("the small and the full stream agree", distance < 3, f"mean difference {distance:.1f} of 255")

    camera.lock([Locks(lens_position=1.1, exposure_us=9000, analogue_gain=1.0, colour_gains=(1.5, 1.5))])
    check(
        "a lock this camera does not know is passed over, and pictures go on",
        picture(camera).time_s > full.time_s,
        f"model {full.metadata['Model']}",
    )

    pid = camera.pid
    assert pid is not None
    began_s = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    check("a killed camera process is told", heard(lost, "ended unexpectedly"))
    back.get(timeout=PATIENT_S)
    check(
        "and comes back",
        picture(camera).bgr.shape == (2592, 4608, 3),
        f"{time.monotonic() - began_s:.1f} s",
    )

    while not lost.empty():
        lost.get()
    pid = camera.pid
    assert pid is not None
    began_s = time.monotonic()
    os.kill(pid, signal.SIGSTOP)
    check("a camera process that hangs is told", heard(lost, "silent"))
    check("within three seconds", time.monotonic() - began_s < 3, f"{time.monotonic() - began_s:.1f} s")
    back.get(timeout=PATIENT_S)
    check("and comes back, too", True, f"{time.monotonic() - began_s:.1f} s")
    camera.close()

    missing = CameraProcess("virtual", partial(virtual_camera, 7))
    try:
        missing.open()
        check("a missing camera is noticed", False)
    except CameraLost as error:
        check("a missing camera is a sentence", "ribbon cable" in str(error), str(error))
    finally:
        missing.close()


def picture(camera: CameraProcess) -> Frame:
    """A full picture. On a machine so busy that a good camera seems to hang, the one after it was started again."""
    until_s = time.monotonic() + PATIENT_S
    while True:
        try:
            return camera.full(PATIENT_S)
        except CameraLost:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.5)


def heard(lost: "queue.Queue[str]", words: str) -> bool:
    """Whether the owner was told so, whatever it was told before."""
    while words not in lost.get(timeout=PATIENT_S):
        pass
    return True


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Mean difference of two pictures at a tenth of the size, where compression and scaling do not show."""
    size = (128, 72)
    return float(
        cv2.absdiff(*(cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (one, other))).mean()
    )


if __name__ == "__main__":
    main()
