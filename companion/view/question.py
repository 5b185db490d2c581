"""Several turns explain the boards: one sentence, at most four answers."""

from collections import Counter
from functools import reduce
from operator import and_
from typing import Final

from companion import actions
from companion.referee.verdict import Answer
from companion.rules import Position, Step
from companion.rules.revealing import play_revealing
from companion.rules.steps import (
    Buy,
    CompleteContract,
    Dive,
    Draw,
    Explore,
    Gain,
    Improve,
    MoveCube,
    Oxygen,
    PlayKey,
    Propel,
    Search,
    Sell,
    SwapCubes,
    TakeBack,
    Upgrade,
    UseReward,
    UseSponsor,
)
from companion.state import Asking, State
from companion.view.box import Box
from companion.view.language import Say
from companion.view.parts import bar, cube_glyph, diver_glyph, player_of, voice
from companion.view.screens import AnswerCard, Choice, Glyph, QuestionScreen
from companion.view.words import active_tile, step_detail, told

_GAINS: Final = {
    "credit": Glyph("credit", "1", "gold"),
    "battery": Glyph("battery", "1", "good"),
    "free": Glyph("free", colour="accent"),
    "double": Glyph("double", colour="accent"),
    "resurface": Glyph("resurface", colour="accent"),
}
# An answer is found by its drawing first, so one that adds nothing needs one too.
_NOTHING_MORE: Final = (Glyph("cross", colour="muted"),)


def draw(state: State, box: Box) -> QuestionScreen:
    """Needs `Asking`. Each answer shows only what sets it apart from the others; one alone is to be agreed to or not."""
    assert isinstance(state.mode, Asking) and state.game is not None
    say, position = voice(state), state.game.position
    answers = state.mode.ask.answers
    stories = _stories(say, answers, position)
    # What is told twice in one answer and once in another differs by one telling.
    tellings = [Counter(words for _, words in story) for story in stories]
    shared = reduce(and_, tellings) if len(tellings) > 1 else Counter()
    common = _split(stories[0], shared)[0] if stories else []
    player = player_of(position, position.to_play)
    return QuestionScreen(
        bar(state, say("Question for {name}", name=player.name), player=player, back=None),
        _question(say, common) if len(answers) > 1 else say("Hard to make out. Was this played?"),
        tuple(
            _card(say, at, answer, _split(story, shared)[1], position)
            for at, (answer, story) in enumerate(zip(answers, stories, strict=True))
        ),
        (
            Choice(say("Something else"), actions.ENTER_TURN, icon="touch"),
            Choice(say("Look again"), actions.CHECK, icon="camera"),
        ),
    )


def _split(
    story: tuple[tuple[Step, str], ...], shared: Counter[str]
) -> tuple[list[str], list[tuple[Step, str]]]:
    """The phrases of a story that all answers share, and what it tells beyond them."""
    left, common, beyond = Counter(shared), [], []
    for step, words in story:
        if left[words] > 0:
            left[words] -= 1
            common.append(words)
        else:
            beyond.append((step, words))
    return common, beyond


def _stories(say: Say, answers: tuple[Answer, ...], position: Position) -> list[tuple[tuple[Step, str], ...]]:
    """Each answer's turn in phrases; in more detail as long as two of them would be told in the same words."""
    stories = [tuple(told(say, answer.turn.steps, position)) for answer in answers]
    if _are_apart(stories):
        return stories
    stories = [tuple((step, _in_detail(say, step, words)) for step, words in story) for story in stories]
    if _are_apart(stories):
        return stories
    hands = (answer.position.players[position.to_play].private for answer in answers)
    return [_with_hand(say, story, len(hand)) for story, hand in zip(stories, hands, strict=True)]


def _are_apart(stories: list[tuple[tuple[Step, str], ...]]) -> bool:
    return len({tuple(words for _, words in story) for story in stories}) == len(stories)


def _in_detail(say: Say, step: Step, words: str) -> str:
    detail = step_detail(say, step)
    return f"{words} ({detail})" if detail else words


def _with_hand(say: Say, story: tuple[tuple[Step, str], ...], held: int) -> tuple[tuple[Step, str], ...]:
    """A card completed at once came from the hand or was just turned over: what is left in the hand tells."""
    contracts = [at for at, (step, _) in enumerate(story) if isinstance(step, CompleteContract)]
    if not contracts:
        return story
    step, words = story[contracts[-1]]
    left = say.many("{n} card left in the hand", "{n} cards left in the hand", held)
    return (*story[: contracts[-1]], (step, f"{words}, {left}"), *story[contracts[-1] + 1 :])


def _question(say: Say, common: list[str]) -> str:
    if not common:
        return say("What was played?")
    known = ", ".join(common)
    return say("{known} … and what else?", known=known[:1].upper() + known[1:])


def _card(say: Say, at: int, answer: Answer, apart: list[tuple[Step, str]], start: Position) -> AnswerCard:
    words = ", ".join(phrase for _, phrase in apart) or say("nothing more")
    shown = tuple(
        glyph for step, _ in apart for glyph in step_glyphs(say, step, _just_before(start, answer, step))
    )
    return AnswerCard(Choice(words, actions.ANSWER, at), shown[:6] if apart else _NOTHING_MORE)


def _just_before(start: Position, answer: Answer, step: Step) -> Position:
    """The position in which a step of the answer was played."""
    position = start
    for earlier in answer.turn.steps:
        if earlier == step:
            break
        position = play_revealing(position, (earlier,))
    return position


def step_glyphs(say: Say, step: Step, at: Position) -> tuple[Glyph, ...]:
    """A step as small drawings."""
    match step:
        case PlayKey(label, level):
            return (Glyph("key", str(level) if isinstance(label, int) else f"X{level}", at.player.colour),)
        case Propel(tile, by):
            return (
                Glyph("propeller", colour="good"),
                diver_glyph(say, tile),
                Glyph("down" if by > 0 else "up"),
            )
        case UseSponsor(effect):
            return (Glyph("sponsor", colour="accent"), *_sponsor_glyphs(say, effect))
        case Dive():
            return _dive_glyphs(say, step, at)
        case CompleteContract(card, _, _):
            points = at.cards[card].points if card in at.cards else 0
            return (Glyph("contract", colour="accent"), Glyph("prestige", str(points), "gold"))
        case Oxygen():
            return (Glyph("oxygen", colour="accent"),)
    return ()


def _sponsor_glyphs(say: Say, effect: object) -> tuple[Glyph, ...]:
    match effect:
        case Gain(what):
            return (_GAINS[what],)
        case UseReward():
            return (Glyph("reward", colour="accent"),)
        case TakeBack(label):
            return (Glyph("key", str(label)),)
        case Upgrade(tile):
            return (diver_glyph(say, tile), Glyph("upgrade", colour="accent"))
        case MoveCube(cube, _, target):
            return (cube_glyph(say, cube), Glyph("move"), Glyph("", str(target)))
        case SwapCubes(cube, _, other, _):
            return (cube_glyph(say, cube), Glyph("double"), cube_glyph(say, other))
    return ()


def _dive_glyphs(say: Say, step: Dive, at: Position) -> tuple[Glyph, ...]:
    tile = active_tile(at, step)
    who = (diver_glyph(say, tile),) if tile else (Glyph("diver"),)
    match step.effect:
        case None:
            return (*who, Glyph("cross", colour="muted"))
        case Search(cube, bonus, take):
            found = (cube_glyph(say, tile.removesuffix("+")),) if cube and tile else ()
            extra = (Glyph("plus", colour="accent"),) if bonus or take is not None else ()
            return found + extra or who
        case Sell(cube, "prestige"):
            return (cube_glyph(say, cube), Glyph("move", colour="muted"), Glyph("prestige", colour="gold"))
        case Sell(cube, _):
            return (cube_glyph(say, cube), Glyph("move", colour="muted"), Glyph("credit", colour="gold"))
        case Buy(cube):
            return (Glyph("credit", colour="gold"), Glyph("move", colour="muted"), cube_glyph(say, cube))
        case Draw():
            return (*who, Glyph("contract", colour="accent"))
        case Improve(technician):
            return (*who, Glyph(technician, colour="accent"))
        case Explore():
            return (*who, Glyph("reward", colour="accent"))
