"""How the turns of an evening are counted: the worst case for the companion, and every error once."""

from random import Random

from companion.agreement import differences
from companion.bench.evening import FULL, Tally, count
from companion.conductor import Outcome, Shown
from companion.referee import Answer, Ask, Fault, Illegal
from companion.rules import Position, choose_turn, new_game, sample_cards
from companion.state import Asking, Faulted, Game, Mode, Playing, Restoring, State
from hardware.simulated.game import presses
from hardware.simulated.layout import layout
from hardware.simulated.press import Mistake, Press, start


def _off(position: Position, **fields: object) -> Position:
    """The same game with something of the first player told wrongly."""
    return position.with_player(0, **fields)


class Evening:
    """Two positions side by side: what happens and what is believed."""

    def __init__(self) -> None:
        self.truth = self.ours = new_game(5)
        self.rng = Random(5)
        self.tally = Tally()

    def press(self, told: Position | None, outcome: Outcome = "played", mode: Mode | None = None) -> None:
        """The next turn is played; `told` is the position the companion goes on from."""
        turn = choose_turn(self.truth, self.rng)
        after = self.truth.play_turn(turn)
        press = Press(self.truth.to_play, turn, self.truth, after, {})
        before = State(Playing(), Game("g", self.ours))
        self.ours = told or after
        state = State(mode or Playing(), Game("g", self.ours))
        count(self.tally, Shown(press, outcome, state, 0.0, before))
        self.truth = after

    @property
    def next(self) -> Position:
        """Where the turn that is pressed next leads to."""
        rng = Random()
        rng.setstate(self.rng.getstate())
        return self.truth.play_turn(choose_turn(self.truth, rng))


def test_a_turn_told_wrongly_counts_once_though_the_difference_stays() -> None:
    evening = Evening()
    evening.press(_off(evening.next, credits=evening.next.players[0].credits + 2))
    for _ in range(3):
        after = evening.next
        evening.press(_off(after, credits=after.players[0].credits + 2))
    tally = evening.tally
    assert (tally.turns, tally.right_first, tally.silently_wrong) == (4, 3, 1)


def test_a_difference_that_grows_is_another_wrong_turn() -> None:
    evening = Evening()
    for number in (1, 2):
        after = evening.next
        evening.press(_off(after, score=after.players[0].score + number))
    assert (evening.tally.turns, evening.tally.silently_wrong) == (2, 2)


def test_a_question_is_right_only_with_the_right_answer_among_its_answers() -> None:
    evening = Evening()
    after = evening.next
    wrong = _off(after, score=after.players[0].score + 1)
    turn = choose_turn(evening.truth, Random(1))
    for answers, right in (((wrong,), 0), ((wrong, evening.next), 1)):
        ask = Ask("score", tuple(Answer(turn, position, 0.5) for position in answers))
        evening = Evening()
        evening.press(evening.truth, "asked", Asking(ask))
        assert (evening.tally.questions, evening.tally.right_first) == (1, right)
        assert evening.tally.silently_wrong == 0


def test_a_turn_shown_wrong_on_a_knocked_board_counts_once_its_pieces_are_put_back() -> None:
    evening = Evening()
    before, state = State(Playing(), Game("g", evening.truth)), State(Restoring("knock"))
    turn = choose_turn(evening.truth, evening.rng)
    press = Press(0, turn, evening.truth, evening.truth, {}, Mistake("no-key", ("red.key.1",)))
    count(evening.tally, Shown(press, "restoring", state, 0.0, before))
    assert (evening.tally.put_back, evening.tally.mistakes) == (1, 0)
    faulted = State(Faulted(Illegal((Fault("no-key", ("red.key.1",)),), None)))
    count(evening.tally, Shown(press, "fault", faulted, 0.0, before))
    assert (evening.tally.mistakes, evening.tally.caught, evening.tally.named) == (1, 1, 1)


def test_what_only_the_bag_knows_is_no_difference() -> None:
    position = new_game(5)
    assert differences(position.as_seen_at_table(), position) == frozenset()
    assert differences(_off(position, score=3), position) == {".players.0.score +3"}


def test_the_full_evening_has_a_thousand_turns_of_every_number_of_players() -> None:
    cards, turns = sample_cards(), 0
    for game in FULL:
        position = start(game.seed, game.table.players, cards)
        at = layout(1, [player.colour for player in position.players])
        turns += sum(1 for _ in presses(position, at, game.seed))
    assert turns >= 1000
    assert {game.table.players for game in FULL} == {2, 3, 4}
    assert len({game.table.art_seed for game in FULL}) >= 4
    assert len({game.seed for game in FULL}) == len(FULL)
