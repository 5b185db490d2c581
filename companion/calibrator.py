"""Runs the guided calibration beside the session: pictures from the camera and touches from the screen go into a guide,
and what the guide then shows goes to the session as `Tapped(CALIBRATION, Shown)`.

The thread that has the camera calls `step`; `hear` and `attend` may be called from any other.
"""

import contextlib
import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from calibration.checked import read_figures, read_marks
from calibration.enrol import Report, enrol
from calibration.guide import Guide, Stage
from calibration.packs import SAMPLE, packs_dir
from calibration.shown import Print, Shown, shown
from companion import actions
from companion.messages import Message, Tapped
from companion.rigs import keep_rig, lock_camera
from hardware.frame import Camera, CameraLost, Frame, Picture
from vision.look import Looker
from vision.pack import TAUGHT_SLOTS, Point, load_pack

Teach = Callable[[Path, Callable[[str], None]], Report]
CARDS = "cards.json"


@dataclass(frozen=True)
class CalibratorSettings:
    # A picture is measured this often while the camera is being placed; between two a small one shows the table live.
    measure_s: float = 1.5
    # How long to wait for a finger when nothing on the screen moves by itself.
    wait_s: float = 0.1
    photo_quality: int = 95
    most_notes: int = 2  # sentences of the report that fit on the screen


DEFAULTS = CalibratorSettings()


class Calibrator:
    """One calibration after another, each begun when the screen for it comes up.

    `pack_dir` is the pack in use: one of the players' own is only checked; from the sample a new one is made. `adopt` is
    told of the folder of the pack that was taught and is to be used from now on.
    """

    def __init__(
        self,
        camera: Camera,
        pack_dir: Path,
        emit: Callable[[Message], None],
        adopt: Callable[[Path], None] = lambda folder: None,
        name: str = "",
        teach: Teach = enrol,
        settings: CalibratorSettings = DEFAULTS,
    ) -> None:
        self._camera = camera
        self._pack_dir = pack_dir
        self._emit = emit
        self._adopt = adopt
        self._name = name
        self._teach = teach
        self._settings = settings
        self._heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._wanted = threading.Event()  # the screen of the calibration is up
        self._guide: Guide | None = None
        self._photo: Picture | None = None  # what corners are tapped on
        self._print: Print | None = None
        self._last: Shown | None = None
        self._measured_s = float("-inf")
        self._metadata: Mapping[str, Any] = {}
        self._looker: Looker | None = None
        self._lesson: _Lesson | None = None
        self._making = Path()
        self._over = False  # done; the screen is on its way out

    def attend(self, wanted: bool) -> None:
        """Whether the screen of the calibration is up."""
        if wanted:
            self._wanted.set()
        else:
            self._wanted.clear()
            self._over = False

    def hear(self, message: Message) -> bool:
        """Takes what a finger did on the calibration's screen; False for every other message."""
        if not isinstance(message, Tapped) or message.action != actions.CALIBRATION:
            return False
        if isinstance(message.value, Shown):
            return False
        self._heard.put(message.value)
        return True

    def step(self) -> bool:
        """One picture or one touch; False when there is nothing to calibrate and the camera is free."""
        if not self._wanted.is_set():
            if self._guide is not None:
                self._leave()
            return False
        try:
            if self._over:
                self._next_touch()
            elif self._guide is None:
                self._begin()
            elif self._lesson is not None:
                self._follow(self._lesson)
            else:
                self._go_on()
        except CameraLost as trouble:
            self._complain(str(trouble))
            self._next_touch()  # a pause; what was touched meanwhile meant a picture that is not there
        except (ValueError, TypeError, OSError) as trouble:
            # Photographs that cannot be kept or learnt from, and touches of any shape.
            self._complain(str(trouble))
        self._show()
        return True

    # What follows belongs to the camera's thread.

    def _begin(self) -> None:
        while not self._heard.empty():
            self._heard.get()  # meant for an earlier calibration
        self._last = self._print = self._photo = None
        self._measured_s = float("-inf")
        lock_camera(self._camera, None)  # it may stand elsewhere and in other light than before
        pack = load_pack(self._pack_dir)
        self._looker = None
        if self._pack_dir.name == SAMPLE or self._name or not (pack.dir / TAUGHT_SLOTS).is_file():
            self._guide = Guide(pack)
            return
        self._guide = Guide(pack, Stage.CHECK)
        self._heard.put("look")

    def _leave(self) -> None:
        self._guide = None
        # A stand whose file nobody can read locks nothing; the next start says what is wrong with it.
        with contextlib.suppress(ValueError, OSError):
            lock_camera(self._camera, self._pack_dir)

    def _go_on(self) -> None:
        guide = self._now
        live = guide.stage is Stage.FRAME
        touch = self._next_touch(0.0 if live else self._settings.wait_s)
        if touch is not None:
            self._touched(touch)
        elif live:
            self._watch()

    def _next_touch(self, wait_s: float | None = None) -> Any:
        try:
            wait_s = self._settings.wait_s if wait_s is None else wait_s
            return self._heard.get(timeout=wait_s) if wait_s > 0 else self._heard.get_nowait()
        except queue.Empty:
            return None

    def _watch(self) -> None:
        """The table while the camera is being placed: a small picture each time, a full one measured now and then."""
        frame = self._camera.small()
        if frame.time_s - self._measured_s >= self._settings.measure_s:
            self._measured_s = frame.time_s
            self._guide = replace(self._now.saw(self._camera.full().bgr), complaint="")
        self._print = Print.of(frame.bgr, self._now.size_px[0])

    def _touched(self, touch: Any) -> None:
        guide = self._now
        match touch:
            case "shoot":
                self._shoot()
            case "look":
                self._check()
            case "again":
                self._again()
            case "done":
                self._finish()
            case "whole":
                self._guide = replace(guide, zoomed="", near_px=None)
            case "next" if guide.stage is Stage.PIECES:
                self._learn()
            case str():
                self._chosen(touch)
            case (str(), *points) if self._print is not None and self._photo is not None:
                self._pointed(touch[0], [self._print.to_whole((float(x), float(y))) for x, y in points])

    def _pointed(self, how: str, points_px: list[Point]) -> None:
        """A finger on the picture. A corner is where the finger leaves it."""
        guide, photo = self._now, self._photo
        assert photo is not None, "a finger touched a photograph"
        match how, points_px:
            case ("tap", [at]) | ("drag", [_, at]) if how == "tap" or guide.stage is Stage.CORNERS:
                self._guide = guide.tap(at, photo)
            case ("drag", [start, end]):
                self._guide = guide.drag(start, end)

    def _chosen(self, value: str) -> None:
        self._guide = self._now.choose(value)
        if self._now.stage is Stage.FRAME:
            self._measured_s = float("-inf")

    def _shoot(self) -> None:
        guide = self._now
        if guide.stage is not Stage.FRAME and guide.showing is None:
            return
        frame = self._camera.full()
        if guide.stage is Stage.FRAME:
            self._making = fresh_folder(self._name or self._pack_dir.name)
            self._metadata = frame.metadata
            file, known = "empty.jpg", self._known(frame.bgr)
            self._keep(frame, file)
            self._guide = guide.shot(file, frame.bgr, known)
            self._photo = frame.bgr
            self._print = Print.of(frame.bgr)
        else:
            file = f"pieces-{len(guide.taken) + 1}.jpg"
            self._keep(frame, file)
            self._guide = guide.shot(file, frame.bgr)

    def _known(self, bgr: Picture) -> dict[str, tuple[Point, ...]]:
        """Boards that an earlier calibration taught are found without a finger."""
        if self._looker is None:
            return {}
        self._looker.forget()
        reading = self._looker.look(bgr)
        return {name: seen.corners_px for name, seen in reading.boards.items() if seen.found}

    def _keep(self, frame: Frame, file: str) -> None:
        self._making.mkdir(parents=True, exist_ok=True)
        quality = [cv2.IMWRITE_JPEG_QUALITY, self._settings.photo_quality]
        _, jpeg = cv2.imencode(".jpg", frame.bgr, quality)
        half = self._making / f".{file}.part"
        half.write_bytes(jpeg.tobytes())
        half.replace(self._making / file)

    def _learn(self) -> None:
        guide = self._now
        guide = replace(guide, pack=replace(guide.pack, name=self._making.name))
        guide.write(self._making)
        keep_rig(self._metadata, self._making)  # which lens it was is taught, too
        cards = self._pack_dir / CARDS
        if cards.is_file():
            shutil.copyfile(cards, self._making / CARDS)
        self._guide = guide.learning("photographs")
        self._lesson = _Lesson(self._teach, self._making)

    def _follow(self, lesson: "_Lesson") -> None:
        """Shows how far the teaching is, and takes what it learnt."""
        said = lesson.news(self._settings.wait_s)
        if said is not None:
            self._guide = self._now.learning(said)
        if not lesson.over:
            return
        self._lesson = None
        self._guide = self._now.learning("")
        report = lesson.report()
        self._pack_dir = settled(self._making)
        self._name = ""
        self._looker = None
        notes = [f"{piece}: {why}." for piece, why in (*report.missing.items(), *report.wanted.items())]
        self._guide = replace(self._now, notes=tuple(notes[: self._settings.most_notes]))
        self._check()

    def _check(self) -> None:
        """Looks at the table with what was learnt and draws what was read."""
        looker = self._looker = self._looker or Looker.load(self._pack_dir)
        frame = self._camera.full()
        self._metadata = frame.metadata
        looker.forget()
        reading = looker.look(frame.bgr)
        located = looker.located
        assert located is not None, "a look locates"
        self._photo = frame.bgr
        self._print = Print.of(frame.bgr)
        corners = {name: seen.corners_px for name, seen in reading.boards.items() if seen.found}
        size_px = (frame.bgr.shape[1], frame.bgr.shape[0])
        self._guide = replace(self._now, pack=looker.pack).checked(
            corners,
            size_px,
            read_figures(looker.pack, reading),
            read_marks(looker.pack, located, reading),
        )

    def _again(self) -> None:
        """The same layout and a new set of photographs; the pack that is there stays as it is."""
        self._guide = Guide(load_pack(self._pack_dir))
        self._measured_s = float("-inf")

    def _finish(self) -> None:
        """The pack is used from now on, with the camera locked as it was at the last look."""
        keep_rig(self._metadata, self._pack_dir)
        self._adopt(self._pack_dir)
        self._over = True
        self._emit(Tapped(actions.CHANGE_SETTING, ("pack", pack_setting(self._pack_dir))))
        self._emit(Tapped(actions.BACK))

    @property
    def _now(self) -> Guide:
        assert self._guide is not None, "a calibration has begun"
        return self._guide

    def _complain(self, sentence: str) -> None:
        if self._guide is not None:
            self._guide = replace(self._guide, complaint=sentence, lesson="")

    def _show(self) -> None:
        if self._guide is None or self._over:
            return
        now = shown(self._guide, self._print)
        if now != self._last:
            self._last = now
            self._emit(Tapped(actions.CALIBRATION, now))


class _Lesson:
    """Teaching beside the camera's thread."""

    def __init__(self, teach: Teach, folder: Path) -> None:
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._report: Report | None = None
        self._trouble: ValueError | OSError | None = None
        self._thread = threading.Thread(target=self._run, args=(teach, folder), name="teaching", daemon=True)
        self._thread.start()

    def _run(self, teach: Teach, folder: Path) -> None:
        try:
            self._report = teach(folder, self._said.put)
        except (ValueError, OSError) as trouble:
            self._trouble = trouble

    def news(self, wait_s: float) -> str | None:
        self._thread.join(wait_s)
        said = None
        while not self._said.empty():
            said = self._said.get()
        return said

    @property
    def over(self) -> bool:
        return not self._thread.is_alive()

    def report(self) -> Report:
        """What was learnt; raises what went wrong."""
        if self._trouble is not None:
            raise self._trouble
        if self._report is None:
            raise ValueError("the pieces could not be learnt; take the pictures again")
        return self._report


def fresh_folder(name: str) -> Path:
    """Where a new pack is put together: a name that no pack has, so that none is ever overwritten."""
    if name == SAMPLE:
        name = "our-otys"
    names = [name, *(f"{name}-{n}" for n in range(2, 1000))]
    chosen = next(name for name in names if not (packs_dir() / name).exists())
    folder = packs_dir().parent / "calibrating" / chosen
    # What an unfinished calibration left there belongs to no pack.
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def settled(making: Path) -> Path:
    """Moves a taught pack among the others, whole."""
    place = packs_dir() / making.name
    if place.exists():
        raise OSError(f"{place}: a pack of this name has come up meanwhile; rename it and teach again")
    place.parent.mkdir(parents=True, exist_ok=True)
    return making.rename(place)


def pack_setting(pack_dir: Path) -> str:
    """How the settings name a pack: by its name among the players' own, else by its folder."""
    return pack_dir.name if pack_dir.parent == packs_dir() else str(pack_dir)
