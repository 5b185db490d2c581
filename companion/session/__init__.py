"""The one loop of the evening: `Session.handle(message)` gives effects, `Session.state` is what is shown."""

from companion.session.evening import Referee, Timing
from companion.session.loop import Session

__all__ = ["Referee", "Session", "Timing"]
