"""Playing: a button is pressed, the table is looked at, the referee judges, and what stands is confirmed."""

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from companion.messages import Seen
from companion.notices import notice
from companion.referee import Answer, Ask, Belief, Illegal, Played, Unchanged, Unclear, Verdict
from companion.rules import Position
from companion.session import entering
from companion.session.correcting import seen_since
from companion.session.evening import Evening
from companion.session.reminders import still_open
from companion.session.turnover import confirmed, over
from companion.state import Asking, Entering, Faulted, Hidden, Over, Playing, Restoring
from vision.reading import BoardSeen, Reading

# A board that went further than this share of its own diagonal did not just give way to a hand at work.
KNOCKED = 0.05


def pressed(evening: Evening, player: int) -> None:
    """A player's button. While a look is under way every press is the same press: bouncing, leaning, hurrying."""
    if evening.state.game is None or evening.looking == "once":
        return
    evening.close_overlays()
    if not evening.at_table or isinstance(evening.mode, Over):
        return
    to_play = evening.position.to_play
    if not 0 <= player < len(evening.position.players):
        return
    if player != to_play and evening.now_s - evening.confirmed_s < evening.timing.bounce_s:
        return
    if isinstance(evening.mode, Entering) or not evening.camera:
        if player != to_play:
            evening.say(notice("not-your-turn", name=evening.position.player.name))
        else:
            entering.pressed(evening)
        return
    evening.pressed_by = player
    evening.look()


def seen(evening: Evening, message: Seen) -> None:
    """The reading a press asked for."""
    evening.looking = "no"
    evening.close_overlays()
    evening.reading = message.reading
    verdict, belief = evening.referee.judge(evening.belief, message.reading)
    _judged(evening, verdict, belief, message.reading)


def _judged(evening: Evening, verdict: Verdict, belief: Belief, reading: Reading) -> None:
    match verdict:
        case Unchanged():
            seen_since(evening, belief.likeliest)
            evening.belief = belief
            stands_right(evening, reading)
            evening.show(Playing())
            right = evening.pressed_by == evening.position.to_play
            name = evening.position.player.name
            evening.say(notice("nothing-changed" if right else "not-your-turn", name=name))
        case Played(turns, _, _):
            before = evening.position
            evening.confirm("played", turns, belief, reading)
            evening.boards_lie(reading)
            confirmed(evening, before, verdict, seen=True)
        case Ask():
            evening.show(Asking(verdict))
            evening.sound("question")
        case Illegal(faults):
            if not _knocked(evening, [slot for fault in faults for slot in fault.slots], reading):
                evening.show(Faulted(_offered(verdict, evening.position)))
                evening.sound("fault")
        case Unclear(slots):
            if not _knocked(evening, slots, reading):
                evening.show(Hidden(verdict))
                evening.sound("question")


def answer(evening: Evening, index: int) -> None:
    """One of the answers to the question that is up."""
    mode = evening.mode
    if not isinstance(mode, Asking) or not 0 <= index < len(mode.ask.answers):
        raise ValueError(f"there is no answer {index} to give")
    _said(evening, mode.ask.answers[index])


def meant(evening: Evening) -> None:
    """What was called a fault was the legal turn nearest to it, the players say: the camera saw it wrong."""
    mode = evening.mode
    if not isinstance(mode, Faulted) or mode.illegal.nearest is None:
        raise ValueError("there is no turn that may have been meant")
    _said(evening, mode.illegal.nearest)


def _said(evening: Evening, chosen: Answer) -> None:
    """The players have said which turn it was, and where the camera saw something else it may go on doing so."""
    before = evening.position
    belief = evening.referee.answered(evening.belief, chosen)
    if evening.reading is not None:
        belief = belief.accepted(evening.reading)
        evening.boards_lie(evening.reading)
    evening.confirm("answered", (chosen.turn,), belief, evening.reading)
    confirmed(evening, before, Played((chosen.turn,), chosen.position, chosen.p), seen=True)


def _offered(illegal: Illegal, position: Position) -> Illegal:
    """The fault with the nearest turn only when that is one of the player to play: two are not told as one."""
    nearest, following = illegal.nearest, (position.to_play + 1) % len(position.players)
    if nearest is None or nearest.position.to_play == following:
        return illegal
    return replace(illegal, nearest=None)


def overrule(evening: Evening) -> None:
    """The players say it is right: what lies on the table is taken as it lies, and the next player plays."""
    if not isinstance(evening.mode, Faulted) or evening.reading is None:
        raise ValueError("there is no fault to overrule")
    before = evening.position
    position = evening.referee.as_it_lies(evening.belief, evening.reading)
    evening.confirm("overruled", (), Belief.of(position).accepted(evening.reading), evening.reading)
    evening.boards_lie(evening.reading)
    confirmed(evening, before, Played((), position, 1.0), seen=True)


def restoring(evening: Evening, reading: Reading) -> None:
    """One of the live readings while pieces are put back: the list shrinks, and goes when nothing is left on it."""
    mode = evening.mode
    if not isinstance(mode, Restoring):
        return
    evening.reading = reading
    wrong = evening.referee.misplaced(evening.position, reading)
    if wrong:
        evening.change(replace(mode, misplaced=wrong))
    else:
        stands_right(evening, reading)
        _go_on(evening)


def restored(evening: Evening) -> None:
    """The players say it stands right: the boards lie where they lie, and the same knock is not found again."""
    if not isinstance(evening.mode, Restoring):
        raise ValueError("nothing is being put back")
    if evening.reading is not None:
        evening.boards_lie(evening.reading)
    _go_on(evening)


def _go_on(evening: Evening) -> None:
    if evening.position.over is not None:
        evening.show(over(evening))
    else:
        evening.show(Playing())


def stands_right(evening: Evening, reading: Reading) -> None:
    """The boards lie where they lie and show what they should: reminders of what was seen go."""
    evening.boards_lie(reading)
    game = evening.game
    evening.state = replace(
        evening.state, game=replace(game, reminders=still_open(game.reminders, frozenset()))
    )


def _knocked(evening: Evening, wrong_slots: Sequence[str], reading: Reading) -> bool:
    """When everything that is wrong lies on boards that moved since the table was last right, shows what belongs where.

    A knock is shown once: what is still wrong at the next press, with the boards where they are now, is told as ever.
    """
    moved = {
        name
        for name, board in reading.boards.items()
        if board.found and name in evening.corners_px and _moved(evening.corners_px[name], board)
    }
    boards = {slot.partition(".")[0] for slot in wrong_slots}
    misplaced = evening.referee.misplaced(evening.position, reading)
    if not boards or not boards <= moved or not misplaced:
        return False
    evening.boards_lie(reading)
    evening.show(Restoring("knock", misplaced))
    evening.sound("fault")
    return True


def _moved(was_px: tuple[tuple[float, float], ...], now: BoardSeen) -> bool:
    if len(was_px) != 4 or len(now.corners_px) != 4:
        return False
    furthest = max(dist(was, is_) for was, is_ in zip(was_px, now.corners_px, strict=True))
    return furthest > KNOCKED * dist(was_px[0], was_px[2])
