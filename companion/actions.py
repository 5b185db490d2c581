"""Everything a finger can ask for: the action names of `Tapped`, and the value each one carries.

The view puts them on buttons, the session acts on them; neither spells one out by hand. An action that makes no
sense on the screen that is up is ignored: a second finger may always come a moment too late.
"""

from typing import Final

# On every screen
BACK: Final = "back"  # to the screen underneath
DISMISS: Final = "dismiss"  # the notice was read

# Welcome
RESUME: Final = "resume"
NEW_GAME: Final = "new-game"  # also on the podium
CALIBRATE: Final = "calibrate"
PAST_GAMES: Final = "past-games"
SETTINGS: Final = "settings"
LEAVE: Final = "leave"

# Set-up; seats are indices in turn order
ADD_SEAT: Final = "add-seat"
REMOVE_SEAT: Final = "remove-seat"  # seat
MOVE_SEAT: Final = "move-seat"  # (seat, new seat)
NAME_SEAT: Final = "name-seat"  # (seat, name)
COLOUR_SEAT: Final = "colour-seat"  # (seat, colour); whoever had it gets the other's
FIRST_PLAYER: Final = "first-player"  # seat
SPONSOR_SIDE: Final = "sponsor-side"  # ("1" … "5", True for the advanced side)
EDITION: Final = "edition"  # "fr" or "de"
SPY_VARIANT: Final = "spy-variant"  # bool
CONSTANT: Final = "constant"  # (name as in the position's "rules", value)
NEXT: Final = "next"  # players -> rules -> table
CHECK: Final = "check"  # look at the table again; also at a question, a fault or a hidden table
PLACE: Final = (
    "place"  # (slot, label): what lies there, told by hand; also a card or token the camera did not see
)
START: Final = "start"  # the start position is right: play

# Table
DONE: Final = "done"  # the on-screen button of the player to play
UNDO: Final = "undo"
REDO: Final = "redo"
HISTORY: Final = "history"
ENTER_TURN: Final = "enter-turn"  # by touch, also instead of answering a question or a fault
END_GAME: Final = "end-game"  # stop here; the game stays in the list of past games

# Question and fault
ANSWER: Final = "answer"  # index of the answer
MEANT: Final = "meant"  # the nearest legal turn is what was played, whatever the camera saw
OVERRULE: Final = "overrule"  # "we say it is right": what lies on the table is taken as it is

# Restoring
RESTORED: Final = "restored"  # "it stands as it should", whatever the camera sees

# History
SELECT_ENTRY: Final = "select-entry"  # entry number
CORRECT_ENTRY: Final = "correct-entry"  # entry number
UNDO_TO: Final = "undo-to"  # entry number: the last one that stays

# Entering a turn by touch
CHOOSE_STEP: Final = "choose-step"  # index in Entering.choices
STEP_BACK: Final = "step-back"
ENTERED: Final = "entered"  # the turn is complete
CANCEL: Final = "cancel"

# Past games
SELECT_GAME: Final = "select-game"  # game id

# Settings
CHANGE_SETTING: Final = "change-setting"  # (field of Settings, value)

# Calibration: handed on to the guide
CALIBRATION: Final = "calibration"
