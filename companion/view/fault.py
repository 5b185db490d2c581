"""No legal turn explains the boards, or too much is hidden to say: what, where, which rule, and what to do."""

from companion import actions
from companion.referee.faults import FAULTS
from companion.referee.verdict import Answer, Fault
from companion.rules import Position
from companion.state import Faulted, Hidden, State
from companion.view.boards import places_words
from companion.view.box import Box
from companion.view.language import Say
from companion.view.marks import picture
from companion.view.parts import bar, player_of, voice
from companion.view.screens import Choice, FaultScreen
from companion.view.words import content, sentence


def draw(state: State, box: Box) -> FaultScreen:
    """Needs `Faulted` or `Hidden`, and a game."""
    return _faulted(state, box) if isinstance(state.mode, Faulted) else _hidden(state, box)


def _faulted(state: State, box: Box) -> FaultScreen:
    assert isinstance(state.mode, Faulted) and state.game is not None
    say, position, illegal = voice(state), state.game.position, state.mode.illegal
    player = player_of(position, position.to_play)
    first = illegal.faults[0]
    text = FAULTS[first.id]
    values = fault_values(say, first)
    others = len(illegal.faults) - 1
    return FaultScreen(
        bar(state, say("This cannot be"), player=player, back=None),
        "fault",
        say(text.sentence, **values),
        say("The rule"),
        say(text.rule, **values),
        say("To put it right"),
        say(text.remedy, **values),
        say.many("and {n} more thing", "and {n} more things", others) if others > 0 else "",
        _meant(say, illegal.nearest, position),
        picture(state, box, first.slots, "fault"),
        places_words(say, position, first.slots[:3]),
        (
            Choice(say("Enter by hand"), actions.ENTER_TURN, icon="touch"),
            Choice(say("It is right"), actions.OVERRULE, icon="check"),
            Choice(say("Look again"), actions.CHECK, icon="camera", tone="strong"),
        ),
    )


def _meant(say: Say, nearest: Answer | None, position: Position) -> Choice | None:
    """The legal turn that comes closest to what was seen, in the words of the history."""
    if nearest is None:
        return None
    words = say("Did you mean: {turn}?", turn=sentence(say, nearest.turn, position))
    return Choice(words, actions.MEANT, icon="question")


def fault_values(say: Say, fault: Fault) -> dict[str, str]:
    """What fills a fault's sentence, in the players' language."""
    kind = fault.slots[0].split(".")[1] if fault.slots else ""
    return {
        name: value if name in ("player", "level") else content(say, value, kind)
        for name, value in fault.values
    }


def _hidden(state: State, box: Box) -> FaultScreen:
    assert isinstance(state.mode, Hidden) and state.game is not None
    say, position, unclear = voice(state), state.game.position, state.mode.unclear
    player = player_of(position, position.to_play)
    more = len(unclear.slots) - 3
    places = places_words(say, position, unclear.slots[:3])
    return FaultScreen(
        bar(state, say("I cannot see enough"), player=player, back=None),
        "warn",
        places[:1].upper() + places[1:] if places else say("The table cannot be judged like this."),
        say("Why"),
        say(unclear.why),
        say("What helps"),
        say("Take hands and cards off the boards, then look again. You can also enter the turn by touch."),
        say.many("and {n} more place", "and {n} more places", more) if more > 0 else "",
        None,
        picture(state, box, unclear.slots, "warn"),
        places,
        (
            Choice(say("Enter by hand"), actions.ENTER_TURN, icon="touch"),
            Choice(say("Table"), actions.BACK, icon="back"),
            Choice(say("Look again"), actions.CHECK, icon="camera", tone="strong"),
        ),
    )
