"""The touchscreen. The only room that imports Kivy, and this file makes sure Kivy wakes up the way we need it.

Kivy reads its environment once, when it is first imported: without KIVY_NO_ARGS it would take our command
line for its own, and without a home of its own it would write into the user's.
"""

import os

from platformdirs import user_cache_path

os.environ.setdefault("KIVY_NO_ARGS", "1")
# A state from the worker is drawn at once, not at the next of a few ticks a second.
os.environ.setdefault("KIVY_CLOCK", "interrupt")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
# Kivy would otherwise take standard error for its own log, and our one-line errors would vanish in it.
os.environ.setdefault("KIVY_LOG_MODE", "MIXED")
os.environ.setdefault("KIVY_HOME", str(user_cache_path("otys-companion") / "kivy"))
# Nobody plays with a game pad: SDL would look for one with every look for a finger.
os.environ.setdefault("SDL_AUTO_UPDATE_JOYSTICKS", "0")
os.makedirs(os.environ["KIVY_HOME"], exist_ok=True)  # noqa: PTH103  (a string is what Kivy reads)
