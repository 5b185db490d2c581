"""The camera process against every way a camera is known to fail."""

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import troubled_cameras as troubled

from hardware.frame import Camera, CameraLost
from hardware.locks import Locks
from hardware.process import CameraProcess, ProcessSettings

QUICK = ProcessSettings(
    small_period_s=0.01,
    hang_s=2.0,  # a busy machine may keep even a good camera silent for a second
    open_s=20.0,
    close_s=1.0,
    retry_s=(0.0, 0.0),
    black_frames=3,
    small_px=64 * 48,
    full_px=640 * 480,
)
PATIENT_S = 30.0  # only ever waited for in full when the test fails


@dataclass
class Owner:
    """What the session would hear."""

    camera: CameraProcess
    lost: "queue.Queue[str]" = field(default_factory=queue.Queue)
    back: "queue.Queue[bool]" = field(default_factory=queue.Queue)

    def hears_lost(self) -> str:
        return self.lost.get(timeout=PATIENT_S)

    def hears_back(self) -> bool:
        return self.back.get(timeout=PATIENT_S)


Own = Callable[..., Owner]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    owners: list[Owner] = []

    def start(kind: type[Camera], settings: ProcessSettings = QUICK) -> Owner:
        camera = CameraProcess("test", partial(kind, tmp_path / "diary"), settings)  # type: ignore[call-arg]
        owner = Owner(camera)
        camera.on_lost = owner.lost.put
        camera.on_back = lambda: owner.back.put(True)
        owners.append(owner)
        return owner

    yield start
    for owner in owners:
        owner.camera.close()


def test_small_and_full_pictures_come_with_their_metadata_and_agree(own: Own) -> None:
    camera = own(troubled.GoodCamera).camera
    camera.open()
    small, full = camera.small(PATIENT_S), camera.full(PATIENT_S)
    assert small.bgr.shape == troubled.SMALL
    assert full.bgr.shape == troubled.FULL
    assert small.bgr.mean() == full.bgr.mean() == 90
    assert small.metadata == {"ExposureTime": 8000}
    assert full.metadata == {"LensPosition": 1.25}


def test_every_picture_is_newer_than_the_one_before(own: Own) -> None:
    camera = own(troubled.GoodCamera).camera
    camera.open()
    times = [camera.small(PATIENT_S).time_s for _ in range(5)]
    assert times == sorted(set(times))


def test_a_picture_stays_as_it_was_while_newer_ones_arrive(own: Own) -> None:
    camera = own(troubled.GoodCamera).camera
    camera.open()
    kept = camera.small(PATIENT_S).bgr
    before = kept.copy()
    for _ in range(2 * QUICK.small_slots):
        camera.small(PATIENT_S)
    assert np.array_equal(kept, before)


def test_frames_that_silently_cease_are_noticed_and_the_camera_comes_back(own: Own) -> None:
    owner = own(troubled.HangsOnceInSmall)
    with pytest.raises(CameraLost, match="silent"):
        owner.camera.open()
    assert "started again" in owner.hears_lost()
    assert owner.hears_back()
    assert owner.camera.small(PATIENT_S).bgr.mean() == 90
    assert owner.camera.starts == 2


def test_a_capture_that_never_returns_is_an_error_for_the_caller_and_a_new_process(own: Own) -> None:
    owner = own(troubled.HangsOnceInFull)
    owner.camera.open()
    first = owner.camera.pid
    with pytest.raises(CameraLost, match="silent"):
        owner.camera.full(PATIENT_S)
    assert owner.hears_back()
    assert owner.camera.full(PATIENT_S).bgr.mean() == 90
    assert owner.camera.pid != first


def test_an_unforeseen_error_in_the_camera_is_told_in_its_own_words(own: Own) -> None:
    owner = own(troubled.BreaksOnce)
    owner.camera.open()
    with pytest.raises(CameraLost, match="dequeue buffer failed"):
        owner.camera.full(PATIENT_S)
    assert owner.hears_lost() == "dequeue buffer failed"
    assert owner.hears_back()


def test_a_killed_process_is_started_again(own: Own) -> None:
    owner = own(troubled.GoodCamera)
    owner.camera.open()
    pid = owner.camera.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert "ended unexpectedly" in owner.hears_lost()
    assert owner.hears_back()
    assert owner.camera.small(PATIENT_S).bgr.mean() == 90


def test_locks_given_while_it_runs_reach_the_camera_and_every_later_process(own: Own) -> None:
    owner = own(troubled.Locked)
    owner.camera.open()
    assert owner.camera.full(PATIENT_S).metadata == {"locks": []}
    locks = [Locks(1.5, 9000, 2.0, (1.8, 1.6)), Locks(lens_position=1.25)]
    owner.camera.lock(locks)
    wanted = {"locks": [[1.5, 9000, 2.0, [1.8, 1.6]], [1.25, None, None, None]]}
    assert owner.camera.full(PATIENT_S).metadata == wanted
    assert owner.camera.pid is not None
    os.kill(owner.camera.pid, signal.SIGKILL)
    assert owner.hears_back()
    assert owner.camera.full(PATIENT_S).metadata == wanted
    owner.camera.lock([])
    assert owner.camera.full(PATIENT_S).metadata == {"locks": []}


def test_a_camera_that_cannot_be_locked_goes_on_as_it_was(own: Own) -> None:
    camera = own(troubled.GoodCamera).camera
    camera.open()
    camera.lock([Locks(lens_position=1.5)])
    assert camera.small(PATIENT_S).bgr.mean() == 90


def test_a_missing_camera_is_a_sentence_and_is_tried_again_until_it_is_there(own: Own) -> None:
    owner = own(troubled.Missing)
    with pytest.raises(CameraLost, match="push the cable home"):
        owner.camera.open()
    assert owner.hears_lost() == "No camera is connected: push the cable home."
    assert owner.hears_back()
    assert owner.lost.empty(), "the same trouble is told once, not at each attempt"
    assert owner.camera.starts == 3


def test_a_camera_that_never_opens_is_given_up_and_started_again(own: Own) -> None:
    owner = own(troubled.NeverOpens, replace(QUICK, open_s=4.0))
    with pytest.raises(CameraLost, match="did not start within 4 s"):
        owner.camera.open()
    assert owner.hears_back()


def test_a_covered_lens_is_said_and_forgotten_when_the_light_is_back(own: Own, tmp_path: Path) -> None:
    owner = own(troubled.Black)
    with pytest.raises(CameraLost, match="only black"):
        owner.camera.open()
    assert "cap off the lens" in owner.hears_lost()
    with pytest.raises(CameraLost, match="only black"):
        owner.camera.small(PATIENT_S)
    (tmp_path / "diary.light").touch()
    assert owner.hears_back()
    assert owner.camera.small(PATIENT_S).bgr.mean() == 90
    assert owner.camera.starts == 1, "darkness is no reason to kill the process"


def test_closing_does_not_wait_for_a_camera_that_never_stops(own: Own) -> None:
    owner = own(troubled.NeverCloses)
    owner.camera.open()
    pid = owner.camera.pid
    owner.camera.close()
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert owner.lost.empty(), "closing is no trouble"


def test_a_closed_camera_says_that_it_is_closed_and_can_be_opened_again(own: Own) -> None:
    camera = own(troubled.GoodCamera).camera
    with pytest.raises(CameraLost, match="not open"):
        camera.small()
    camera.open()
    camera.close()
    with pytest.raises(CameraLost, match="not open"):
        camera.full()
    camera.open()
    assert camera.small(PATIENT_S).bgr.mean() == 90


def test_somebody_who_waits_for_a_picture_is_told_when_the_camera_is_closed(own: Own) -> None:
    camera = own(troubled.HangsOnceInFull).camera
    camera.open()
    told: queue.Queue[CameraLost] = queue.Queue()

    def wait_for_one() -> None:
        try:
            camera.full(PATIENT_S)
        except CameraLost as error:
            told.put(error)

    waiting = threading.Thread(target=wait_for_one)
    waiting.start()
    camera.close()
    assert told.get(timeout=PATIENT_S)
    waiting.join()


def test_a_picture_larger_than_agreed_is_refused_with_a_sentence(own: Own) -> None:
    owner = own(troubled.Enormous)
    owner.camera.open()
    with pytest.raises(CameraLost, match="1000 x 1000 pixels is larger"):
        owner.camera.full(PATIENT_S)
