"""What was played: a belief and a reading go in, a verdict comes out. Never looks at pixels."""

from companion.referee.belief import Belief
from companion.referee.deciding import Judgement
from companion.referee.faults import FAULTS, PLACEHOLDERS, FaultText, text
from companion.referee.judging import answered, judge
from companion.referee.observation import expected, in_words
from companion.referee.restoring import Misplaced, misplaced
from companion.referee.settings import RefereeSettings
from companion.referee.start import likely_start, read_start
from companion.referee.table import as_it_lies
from companion.referee.verdict import Answer, Ask, Fault, Illegal, Played, Unchanged, Unclear, Verdict

__all__ = [
    "FAULTS",
    "PLACEHOLDERS",
    "Answer",
    "Ask",
    "Belief",
    "Fault",
    "FaultText",
    "Illegal",
    "Judgement",
    "Misplaced",
    "Played",
    "RefereeSettings",
    "Unchanged",
    "Unclear",
    "Verdict",
    "answered",
    "as_it_lies",
    "expected",
    "in_words",
    "judge",
    "likely_start",
    "misplaced",
    "read_start",
    "text",
]
