"""Where packs live: in the user's data folder, and one that ships with the program."""

from importlib import resources
from pathlib import Path

from calibration.folder import data_folder
from vision.pack import FILE

SAMPLE = "otys-sample"


def packs_dir() -> Path:
    """The folder of the user's own packs; it need not exist yet."""
    return data_folder() / "packs"


def shipped_dir() -> Path:
    """The packs that come with the program."""
    return Path(str(resources.files("calibration"))) / "packs"


def find_pack(name_or_dir: str | Path) -> Path:
    """The folder of a pack given by name or by path. A folder wins over a name, the user's pack over a shipped one."""
    given = Path(name_or_dir).expanduser()
    if given.name == FILE and given.is_file():
        return given.parent
    if (given / FILE).is_file():
        return given
    if given.is_dir():
        raise FileNotFoundError(f"{given}: no {FILE} in it; is this the folder of a pack?")
    if given.is_file():
        raise ValueError(f"{given}: is a file; give the folder of the pack, the one with {FILE} in it")
    name = str(name_or_dir)
    if name and name == given.name and name not in (".", ".."):
        for folder in (packs_dir(), shipped_dir()):
            if (folder / name / FILE).is_file():
                return folder / name
    known = ", ".join(list_packs()) or "none"
    raise FileNotFoundError(f"no pack {name!r}: there is no such folder, and the packs I know are: {known}")


def list_packs() -> dict[str, Path]:
    """All packs by name. A folder whose name begins with a dot is one that is still being made."""
    found: dict[str, Path] = {}
    for folder in (shipped_dir(), packs_dir()):
        if folder.is_dir():
            found |= {path.parent.name: path.parent for path in sorted(folder.glob(f"[!.]*/{FILE}"))}
    return found
