"""The sample pack, drawn and taught on this machine the first time it is needed."""

import shutil
from collections.abc import Callable
from pathlib import Path

from calibration.packs import SAMPLE, find_pack, packs_dir
from companion.rules import sample_cards
from vision.look import Looker
from vision.pack import FILE, load_pack

GAME = "otys"
ART_SEED = 0  # the edition that ships


def open_pack(name_or_dir: str, progress: Callable[[str], None]) -> Path:
    """The folder of a pack, as find_pack; the sample is made when it is not there yet, or cannot be read any more."""
    if name_or_dir == SAMPLE and not _is_taught(packs_dir() / SAMPLE):
        return _make_sample(progress)
    return find_pack(name_or_dir)


def open_otys(name_or_dir: str, progress: Callable[[str], None]) -> Path:
    """The same for a pack that is played with. Raises ValueError for one of another game, which only `look` reads."""
    folder = open_pack(name_or_dir, progress)
    pack = load_pack(folder)
    if pack.game != GAME:
        raise ValueError(
            f"{folder / FILE}: the pack {pack.name!r} is not of Otys (game = {pack.game!r}); "
            f'photographs of it are read with: otys-companion look --pack {folder}. A pack of Otys says game = "{GAME}"'
        )
    return folder


def _is_taught(place: Path) -> bool:
    """Whether this version of the program can read what an earlier start has taught."""
    try:
        Looker.load(place)
    except (OSError, ValueError):
        return False
    return True


def _make_sample(progress: Callable[[str], None]) -> Path:
    # Loaded only when it is needed: ten megabytes of drawings and lessons that no evening uses.
    from calibration.enrol import enrol
    from hardware.simulated.enrolment import write_pack
    from hardware.simulated.layout import COLOURS
    from hardware.simulated.studio import FULL_PX, Studio

    # Made beside its place and moved there whole: a power cut leaves no half-taught pack.
    place = packs_dir() / SAMPLE
    making = place.with_name(f".{SAMPLE}.making")
    shutil.rmtree(making, ignore_errors=True)
    shutil.rmtree(place, ignore_errors=True)
    making.parent.mkdir(parents=True, exist_ok=True)
    progress("drawing the sample game (once)")
    cards = sample_cards().to_json()
    contracts = {card["id"]: card for card in cards["contracts"]}
    write_pack(Studio.build(ART_SEED, list(COLOURS), contracts, "easy", FULL_PX), cards, making, progress)
    progress("teaching it (once)")
    enrol(making, progress)
    making.rename(place)
    return place
