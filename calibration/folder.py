"""Where everything that belongs to the user is kept: packs, rigs, games and settings."""

import os
from pathlib import Path
from typing import Final

import platformdirs

APP: Final = "otys-companion"
ENV: Final = "OTYS_DATA"


def data_folder() -> Path:
    """The user's data folder; OTYS_DATA names another one. Not created here."""
    chosen = os.environ.get(ENV)
    return Path(chosen).expanduser() if chosen else platformdirs.user_data_path(APP, appauthor=False)
