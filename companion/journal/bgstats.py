"""Hand-over to the BG Stats app: a link that a phone's camera reads from the screen and the app imports.

The format is the app's own for other programs: https://app.bgstatsapp.com/createPlay.html?data=<URL-encoded JSON>.
"""

import json
from datetime import datetime
from typing import Any
from urllib.parse import quote

from companion.journal.podium import Podium
from companion.journal.record import Record
from companion.journal.statistics import GameFigures

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
OTYS_ON_BOARDGAMEGEEK = 222542
SOURCE = "Otys companion"


def bgstats_play(record: Record, places: Podium, figures: GameFigures) -> dict[str, Any]:
    """The play as the app wants it; fields that say nothing are left out to keep the code easy to read by a camera."""
    names, start = record.game.about["names"], record.line()[0].position()
    return {
        "sourceName": SOURCE,
        "sourcePlayId": record.game.id,
        "playDate": f"{datetime.fromisoformat(record.game.started):%Y-%m-%d %H:%M:%S}",
        "durationMin": round(figures.seconds / 60),
        "game": {
            "name": "Otys",
            "sourceGameId": "otys",
            "bggId": OTYS_ON_BOARDGAMEGEEK,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": names[place.player],
                "sourcePlayerId": names[place.player],
                "startPlayer": place.player == start["first"],
                "rank": place.rank,
                "score": place.score,
                "winner": place.rank == 1,
            }
            for place in places.places
        ],
    }


def bgstats_link(record: Record, places: Podium, figures: GameFigures) -> str:
    """The text of the QR code."""
    play = json.dumps(bgstats_play(record, places, figures), separators=(",", ":"), ensure_ascii=False)
    return ADDRESS + quote(play, safe="")
