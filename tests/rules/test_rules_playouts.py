"""Random play: what is always true of a game."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from odd_positions import odd_position

from companion.rules import (
    CAPACITY,
    DIVERS,
    OWN_KEYS,
    SEATS,
    EndTurn,
    Position,
    Rules,
    Turn,
    choose_turn,
    new_game,
)

games = st.builds(
    lambda seed, players, edition, variant, sponsors, keys: new_game(
        seed,
        SEATS[:players],
        Rules(edition=edition, spy_variant=variant, keys_to_recover=keys),
        sponsors=sponsors,
    ),
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from(("fr", "de")),
    st.booleans(),
    st.sampled_from(("basic", "mixed")),
    st.integers(4, 6),
)


def check(position: Position) -> None:
    """Keys, divers, cards and tokens are conserved, and every cap is kept."""
    neutral = position.supply_x
    for player in position.players:
        in_play = position.progress.key if position.progress and player is position.player else None
        own = [key for key in (*player.keys, *player.track) if key != "N"]
        if in_play is not None and in_play.key != "N":
            own.append(in_play.key)
        assert sorted(own, key=str) == sorted(OWN_KEYS, key=str)
        neutral += player.neutral_x + player.track.count("N") + (in_play is not None and in_play.key == "N")
        assert sorted(diver.removesuffix("+") for diver in player.divers) == sorted(DIVERS)
        assert all(len(cubes) <= room for cubes, room in zip(player.zone, CAPACITY, strict=True))
        assert player.credits >= 0 and player.batteries >= 0
        assert 0 <= player.hacker <= 3 and 0 <= player.mechanic <= 3
        assert position.progress or len(player.track) < position.rules.keys_to_recover - player.hacker
    assert neutral == position.rules.neutral_x
    assert all(0 <= filled <= len(position.rules.store) for filled in position.store)
    assert sorted(sponsor[0] for sponsor in position.sponsors) == list("12345")
    if position.deck is not None:
        cards = [card for player in position.players for card in player.private]
        cards += [*position.deck, *(card for card in position.public if card)]
        assert len(cards) == len(set(cards)), "no card is in two places"
    if position.bag is not None:
        tokens = [token for pair in position.display for token in pair if token]
        tokens += [token for player in position.players for token in player.rewards if token]
        tokens += [*position.bag, *position.reward_discard]
        assert sorted(tokens) == sorted(position.cards.rewards), "no reward token is lost"


@settings(max_examples=25, deadline=None, derandomize=True)
@given(position=games, moods=st.randoms(use_true_random=False), unseen=st.booleans())
def test_whole_games_keep_what_must_be_kept(position: Position, moods: Random, unseen: bool) -> None:
    if unseen:
        position = position.as_seen_at_table()
    rng = Random(moods.randrange(2**32))
    for _ in range(30):
        turn = choose_turn(position, rng)
        after = position.play_turn(turn)
        check(after)
        assert Turn.parse(str(turn)) == turn
        assert Position.from_json(after.to_json()) == after
        assert all(now.score >= was.score for was, now in zip(position.players, after.players, strict=True))
        changed = [
            i for i, (was, now) in enumerate(zip(position.players, after.players, strict=True)) if was != now
        ]
        assert position.rules.spy_variant or set(changed) <= {position.to_play}
        position = after
        if position.over is not None:
            break


@settings(max_examples=60, deadline=None, derandomize=True)
@given(position=games, data=st.data())
def test_any_legal_step_leads_to_a_sound_position_with_another_legal_step(
    position: Position, data: st.DataObject
) -> None:
    for _ in range(14):
        steps = position.steps()
        assert steps, "no turn ends in a dead end"
        before, step = position, data.draw(st.sampled_from(steps))
        position = position.play(step)
        check(position)
        assert all(now.score >= was.score for was, now in zip(before.players, position.players, strict=True))
        if not isinstance(step, EndTurn):
            assert Position.from_json(position.to_json()) == position
        if position.over is not None:
            break


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_from_odd_positions_too_no_step_leads_to_a_dead_end(seed: int) -> None:
    position, rng = odd_position(seed, batteries=(0, 1, 2), heavy=True), Random(seed)
    for _ in range(40):
        steps = position.steps()
        assert steps
        step = rng.choice(steps)
        position = position.play(step)
        if isinstance(step, EndTurn):
            break


def test_games_reach_18_in_a_believable_number_of_rounds() -> None:
    rounds = []
    for seed in range(6):
        position, rng = (
            new_game(seed, SEATS[: 2 + seed % 3], sponsors="mixed" if seed % 2 else "basic"),
            Random(seed),
        )
        while position.over is None:
            position = position.play_turn(choose_turn(position, rng))
        assert max(player.score for player in position.players) >= 18
        rounds.append(position.round)
    assert 15 <= sum(rounds) / len(rounds) <= 25


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (choose_turn(new_game(seed=9), Random(4)) for _ in range(2))
    assert first == second
    assert new_game(seed=9) == new_game(seed=9) != new_game(seed=10)


def test_a_new_game_is_set_up_as_the_rulebook_says() -> None:
    for players in (2, 3, 4):
        position = new_game(seed=players, players=SEATS[:players], sponsors="mixed")
        check(position)
        assert len(position.public) == (2 if players == 2 else 3)
        assert sorted(position.store) == [0, 1, 1, 2]
        for player in position.players:
            assert (player.credits, player.batteries, player.score) == (3, 1, 0)
            assert player.zone[0] == "" and sorted("".join(player.zone)) == sorted("mpft")
            assert not any(diver.endswith("+") for diver in player.divers)
    assert all(sponsor in "12345" for sponsor in new_game(seed=1).sponsors)
