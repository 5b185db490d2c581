"""A recorded game judged frame by frame, and each verdict as the document of `referee --json`."""

from dataclasses import dataclass
from typing import Any

from companion.referee.belief import Belief
from companion.referee.faults import text
from companion.referee.judging import answered, judge
from companion.referee.settings import RefereeSettings
from companion.referee.verdict import Ask, Illegal, Played, Unclear, Verdict
from companion.rules import Position
from vision.reading import Reading

QUESTIONS = {
    "sale": "Was the cube sold for credits or for prestige?",
    "contract": "Which contract was completed?",
    "key": "Which key was played?",
    "turn": "What was played?",
}


@dataclass
class Replay:
    """A game in progress. A question is answered with its likeliest answer; a fault leaves the position as it was."""

    belief: Belief
    settings: RefereeSettings

    @classmethod
    def start(cls, position: Position, settings: RefereeSettings | None = None) -> "Replay":
        return cls(Belief.of(position), settings or RefereeSettings())

    def press(self, reading: Reading) -> Verdict:
        """The verdict on the next frame; what it says is believed from here on."""
        judgement = judge(self.belief, reading, self.settings)
        self.belief = judgement.belief
        if isinstance(judgement.verdict, Ask):
            self.belief = answered(self.belief, judgement.verdict.answers[0])
        return judgement.verdict

    def document(self, verdict: Verdict) -> dict[str, Any]:
        """A verdict as JSON, with the position believed after it."""
        doc: dict[str, Any] = {
            "verdict": type(verdict).__name__.lower(),
            "turn": None,
            "position": self.belief.likeliest.to_json(),
            "faults": [],
            "question": None,
        }
        match verdict:
            case Played(turns, _, p):
                doc["turn"] = "; ".join(map(str, turns))
                doc["p"] = round(p, 4)
            case Ask(about, answers):
                doc["turn"] = str(answers[0].turn)
                shown = [{"turn": str(answer.turn), "p": round(answer.p, 4)} for answer in answers]
                doc["question"] = {"text": QUESTIONS[about], "answers": shown}
            case Illegal(faults, nearest):
                doc["turn"] = str(nearest.turn) if nearest else None
                doc["faults"] = [{"id": f.id, "slots": list(f.slots), "text": text(f)} for f in faults]
            case Unclear(slots, why):
                doc["unclear"] = {"slots": list(slots), "text": why}
            case _:
                pass
        return doc
