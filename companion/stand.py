"""Whether the camera stand is as the pack in use needs it: one look at the table, with advice for each matter."""

from dataclasses import dataclass
from pathlib import Path

from calibration.advice import Advice, Needs, advise, measure, needs
from calibration.packs import find_pack
from companion.journal.settings import load_settings
from vision.look import Looker
from vision.pack import TAUGHT_SLOTS
from vision.rectify import Picture


@dataclass(frozen=True)
class Stand:
    """What was seen: the boards that were found, and what to say. `pack` is empty when none is taught yet."""

    pack: str
    boards: tuple[str, ...]
    advice: tuple[Advice, ...]


def chosen_pack(folder: Path) -> Path | None:
    """The taught pack that the next game uses; None as long as there is none."""
    try:
        pack_dir = find_pack(load_settings(folder).pack)
    except (ValueError, OSError):
        return None
    return pack_dir if (pack_dir / TAUGHT_SLOTS).is_file() else None


def examine_stand(bgr: Picture, looker: Looker | None) -> Stand:
    """Without a pack only sharpness and light can be judged. Raises ValueError for a picture nobody can read."""
    if looker is None:
        return Stand("", (), tuple(advise(measure(bgr), Needs(0.0, 0.0))))
    looker.look(bgr)
    located = looker.located
    assert located is not None, "a look locates"
    found = tuple(name for name in looker.pack.boards if name in located.fixes)
    measured = measure(bgr, looker.pack, located)
    return Stand(looker.pack.name, found, tuple(advise(measured, needs(looker.pack))))
