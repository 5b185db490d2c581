"""State in, screen out: what each screen says and offers, without a window."""

from collections import Counter
from dataclasses import replace

import pytest

from companion import actions
from companion.notices import SENTENCES, notice
from companion.referee.faults import fault
from companion.referee.restoring import Misplaced
from companion.referee.verdict import Answer, Ask, Illegal
from companion.rules import Position, Turn
from companion.state import Asking, Faulted, Over, Playing, Restoring, SettingUp, State, Welcome
from companion.view import Box, draw
from companion.view.box import schematic
from companion.view.marks import to_pixels
from companion.view.podium import qr, turning_point
from companion.view.question import _split
from companion.view.samples import SAMPLE_CORNERS, _selling, played_game, sample_box, samples
from companion.view.screens import Choice


@pytest.mark.parametrize("name", samples())
def test_every_action_a_screen_offers_is_one_the_session_knows(name: str) -> None:
    known = {value for key, value in vars(actions).items() if key.isupper() and isinstance(value, str)}
    for choice in choices_in(draw(samples()[name], sample_box())):
        assert choice.action in known, choice


def choices_in(value: object) -> list[Choice]:
    """Every choice anywhere inside a screen."""
    if isinstance(value, Choice):
        return [value, *(choice for option in value.options for choice in choices_in(option))]
    if isinstance(value, tuple):
        return [choice for part in value for choice in choices_in(part)]
    if hasattr(value, "__dataclass_fields__"):
        return [choice for name in value.__dataclass_fields__ for choice in choices_in(getattr(value, name))]
    return []


def test_a_contract_is_marked_for_those_who_can_pay_it_now() -> None:
    position = played_game("four", 0).position
    card = next(card for card in position.cards.contracts if card.need == "mpf" or card.size == 3)
    position = position._replace(public=(card.id, *position.public[1:]))
    position = position.with_player(1, zone=("", "", "", card.payments[0], ""))
    position = position.with_player(
        2, zone=(card.payments[0][0], card.payments[0][1], card.payments[0][2], "", "")
    )
    state = State(Playing(), replace(played_game("four", 0), position=position))
    assert [player.name for player in draw(state).contracts[0].payable] == ["Benoît"]


def test_the_store_says_where_one_point_is_to_be_had() -> None:
    game = played_game("four", 0)
    position = game.position._replace(store=game.position.store._replace(metal=0, plant=1, fuel=3, tech=2))
    metal, plant, fuel, tech = draw(State(Playing(), replace(game, position=position))).store.columns
    assert (metal.sell, metal.prestige, metal.prestige_plus, metal.buy) == ("3", "1", "2", "")
    assert (plant.sell, plant.sell_plus, plant.prestige, plant.buy, plant.buy_plus) == (
        "2",
        "3",
        "",
        "3",
        "2",
    )
    assert (fuel.sell, fuel.prestige_plus, fuel.buy) == ("", "", "1")
    assert (tech.sell, tech.buy, tech.buy_plus) == ("1", "2", "1")


def test_the_last_round_names_those_who_still_play() -> None:
    assert (
        draw(samples()["table-last-round"]).alert == "Last round: Benoît, Friederike and Dragomir still play."
    )


def test_after_an_x_key_the_new_order_stays_until_it_is_seen() -> None:
    screen = draw(samples()["table-two"])
    assert all(tile.moved for tile in screen.sponsors)
    assert screen.reminders[0].startswith("Turn the sponsors")


def test_the_german_edition_is_told_on_its_sponsors() -> None:
    game = played_game("four", 0)
    position = game.position._replace(sponsors=("2a", "5a", "1", "3", "4"))
    german = position._replace(rules=position.rules._replace(edition="de"))
    french, other = (
        draw(State(Playing(), replace(game, position=one))).sponsors for one in (position, german)
    )
    assert [tile.text for tile in french[:2]] == ["Use a reward here", "1 battery, or move a cube"]
    assert [tile.text for tile in other[:2]] == ["Use any reward", "1 battery, or swap 2 cubes"]


@pytest.fixture
def trading() -> Position:
    return _selling(played_game("four", 74).position)


def test_a_question_says_once_what_all_answers_share(trading: Position) -> None:
    turns = [Turn.parse(f"key4 dive:sell=t/{gain}") for gain in ("credits", "prestige")]
    asking = Asking(Ask("sale", tuple(Answer(turn, trading.play_turn(turn), 0.5) for turn in turns)))
    screen = draw(State(asking, replace(played_game("four", 74), position=trading)))
    assert screen.question == "Key 4 … and what else?"
    assert [card.choice.text for card in screen.answers] == [
        "Trader sold tech for 4 credits",
        "Trader sold tech for 2 prestige",
    ]
    assert [card.glyphs[-1].icon for card in screen.answers] == ["credit", "prestige"]
    assert [card.choice.value for card in screen.answers] == [0, 1]


def test_answers_in_the_same_words_tell_what_is_left_in_the_hand(trading: Position) -> None:
    """A card just completed came from the hand or was just turned over."""
    turn = Turn.parse("key4 dive contract:c24@4=tt")
    fewer, more = (trading.with_player(trading.to_play, private=(None,) * n) for n in (0, 1))
    asking = Asking(Ask("turn", (Answer(turn, fewer, 0.6), Answer(turn, more, 0.4))))
    screen = draw(State(asking, replace(played_game("four", 74), position=more)))
    assert [card.choice.text.rpartition(", ")[2] for card in screen.answers] == [
        "0 cards left in the hand",
        "1 card left in the hand",
    ]


def test_what_is_done_once_or_twice_makes_two_different_answers() -> None:
    found = (None, "Fuel expert found fuel")
    once, twice = (found,), (found, found)
    shared = Counter({"Fuel expert found fuel": 1})
    assert [_split(story, shared)[1] for story in (once, twice)] == [[], [found]]


def test_an_answer_that_adds_nothing_is_drawn_as_nothing(trading: Position) -> None:
    turns = [Turn.parse(f"key4 {steps}") for steps in ("dive", "dive contract:c24@4=tt")]
    asking = Asking(Ask("turn", tuple(Answer(turn, trading, 0.5) for turn in turns)))
    screen = draw(State(asking, replace(played_game("four", 74), position=trading)))
    assert [card.choice.text.partition(" ")[0] for card in screen.answers] == ["nothing", "contract"]
    assert [card.glyphs[0].icon for card in screen.answers] == ["cross", "contract"]


def test_one_answer_alone_is_to_be_agreed_to(trading: Position) -> None:
    turn = Turn.parse("key4 dive:sell=t/credits")
    asking = Asking(Ask("turn", (Answer(turn, trading.play_turn(turn), 1.0),)))
    screen = draw(State(asking, replace(played_game("four", 74), position=trading)))
    assert screen.question == "Hard to make out. Was this played?"
    assert [card.choice.text for card in screen.answers] == ["key 4, Trader sold tech for 4 credits"]


def test_a_fault_names_piece_rule_and_remedy_and_marks_the_place() -> None:
    state = replace(samples(b"jpeg")["fault"], picture=b"jpeg", corners_px=SAMPLE_CORNERS)
    screen = draw(state, sample_box())
    assert "did not resurface" in screen.headline and "and 1 more thing" in screen.more
    assert screen.picture is not None and len(screen.picture.marks) == 2
    assert {choice.action for choice in screen.choices} == {
        actions.ENTER_TURN,
        actions.OVERRULE,
        actions.CHECK,
    }


def test_a_fault_offers_the_nearest_legal_turn_in_the_words_of_the_history() -> None:
    state = samples()["fault"]
    meant = draw(state, sample_box()).meant
    assert meant.action == actions.MEANT
    assert meant.text == "Did you mean: key 2, contract c16 for 3, Trader bought fuel for 2 credits?"


def test_a_fault_far_from_every_legal_turn_and_a_hidden_table_offer_none() -> None:
    state = samples()["fault"]
    alone = replace(state, mode=Faulted(replace(state.mode.illegal, nearest=None)))
    assert draw(alone, sample_box()).meant is None
    assert draw(samples()["hidden"], sample_box()).meant is None


def test_without_a_picture_a_fault_says_where_in_words() -> None:
    game = played_game("four", 10)
    wrong = fault("score-not-moved", ("colony.score",), player="Ana", seen="4", wanted="7")
    screen = draw(State(Faulted(Illegal((wrong,), None)), game))
    assert screen.picture is None and screen.no_picture == "Score track"


def test_marks_follow_a_board_that_lies_askew() -> None:
    turned = ((100.0, 0.0), (100.0, 100.0), (0.0, 100.0), (0.0, 0.0))  # a quarter to the right
    assert to_pixels((0, 0, 10, 5), (100, 100), turned)[0] == pytest.approx((100, 0))
    assert to_pixels((0, 0, 10, 5), (100, 100), turned)[1] == pytest.approx((100, 10))
    trapeze = ((0.0, 0.0), (100.0, 0.0), (80.0, 50.0), (20.0, 50.0))
    assert to_pixels((0, 0, 100, 100), (100, 100), trapeze) == tuple(map(pytest.approx, trapeze))


def test_pieces_to_put_back_are_drawn_on_their_board_and_told_in_words() -> None:
    game = played_game("four", 10)
    wrong = (Misplaced("red.diver.1", "empty", "spy"), Misplaced("red.zone.2", "mp", "empty"))
    screen = draw(State(Restoring("knock", wrong), game))
    (board,) = screen.boards
    assert board.title == "Ana"
    assert sorted(piece.state for piece in board.pieces if piece.state != "right") == ["extra", "missing"]
    assert screen.lines[0] == ("missing", "Ana: diver space 1: put Spy")
    assert screen.lines[1] == ("extra", "Ana: cubes of level 2: take away 1 metal, 1 plant")


def test_the_board_of_the_rulebook_has_a_place_for_every_slot() -> None:
    from companion.referee.observation import expected

    position = played_game("four", 20).position
    assert set(expected(position)) <= set(
        schematic(tuple(player.colour for player in position.players)).slots
    )


def test_a_tie_is_told_with_what_broke_it() -> None:
    screen = draw(samples()["podium-tie"])
    assert screen.headline == "Ana wins"
    assert screen.decided == "Both have 21 prestige. Ana has more cubes: 5 to 3."


def test_a_shared_victory_names_both() -> None:
    state = samples()["podium-tie"]
    assert state.game is not None
    position = state.game.position.with_player(0, zone=("m", "", "", "", "")).with_player(
        1, zone=("p", "", "", "", "")
    )
    screen = draw(State(Over(), replace(state.game, position=position)))
    assert screen.headline == "Ana and Ben share the victory"
    assert [place.rank for place in screen.places] == [1, 1]


def test_the_turning_point_is_where_the_winner_was_last_behind() -> None:
    from companion.journal.podium import podium

    result = podium(played_game("four").position)
    winner = result.places[0].player
    others = [2 if seat == winner else 3 for seat in range(4)]
    curve = ((0,) * 4, tuple(others), tuple(4 if seat == winner else 3 for seat in range(4)))
    assert turning_point(curve, result) == 2
    assert turning_point(((0,) * 4, (1,) * 4), result) is None


def test_a_qr_code_is_square_and_has_its_three_eyes() -> None:
    code = qr("https://example.org/play")
    assert {len(row) for row in code} == {len(code)}
    eye = ("1111111", "1000001", "1011101")
    assert tuple(row[:7] for row in code[:3]) == eye == tuple(row[-7:] for row in code[:3])


@pytest.mark.parametrize("notice_id", SENTENCES)
def test_every_notice_is_said_in_the_players_language(notice_id: str) -> None:
    from string import Formatter

    values = {name: "X" for _, name, _, _ in Formatter().parse(SENTENCES[notice_id]) if name}
    state = State(Welcome(), said=notice(notice_id, **values))
    shown = draw(replace(state, settings=replace(state.settings, language="fr"))).notice
    assert shown is not None and shown.action == actions.DISMISS
    assert shown.text == "X" or shown.text != SENTENCES[notice_id].format(**values)


def test_set_up_offers_only_the_colours_of_the_pack() -> None:
    box = Box({"colony": (1, 1), "red": (1, 1), "blue": (1, 1)})
    state = samples()["setup-players"]
    assert isinstance(state.mode, SettingUp)
    screen = draw(replace(state, mode=replace(state.mode, seats=state.mode.seats[:2])), box)
    assert [player.colour for player, _ in screen.seats[0].colours] == ["red", "blue"]
    assert screen.add is None
