"""What can go wrong in a turn: each fault with its sentence, the rule in words, and how to put it right.

The texts are English and are translated by the view. Every fault fills the same PLACEHOLDERS, so a translator
may use any of them in any order.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.referee.verdict import Fault

# player: a name; piece: a label (diver, colour letter, card, key); level: 1-5; seen and wanted: contents of the slot.
PLACEHOLDERS = ("player", "piece", "level", "seen", "wanted")


def N_(text: str) -> str:
    """Marks a text for translation without translating it here."""
    return text


@dataclass(frozen=True)
class FaultText:
    """What players read about a fault: what happened, by which rule it is wrong, what to do now."""

    sentence: str
    rule: str
    remedy: str


FAULTS: Mapping[str, FaultText] = {
    "key-not-available": FaultText(
        N_("{player} played key {piece}, which was not available."),
        N_("Only a key that lies on the player board may be played."),
        N_("Take the turn back and play a key that was available, or an X key at level {level}."),
    ),
    "no-key": FaultText(
        N_("{player} moved pieces but no key was played."),
        N_("A turn begins with one key or X key, which ends face down on the Hacker track."),
        N_("Flip the key that was used and put it on the leftmost free place of the Hacker track."),
    ),
    "two-keys": FaultText(
        N_("{player} played two keys in one turn."),
        N_("One key or X key is played in a turn."),
        N_("Put key {piece} back on its space."),
    ),
    "key-not-flipped": FaultText(
        N_("Key {piece} was used but does not lie face down on the Hacker track."),
        N_("The key in play is flipped and goes to the leftmost free place of the Hacker track."),
        N_("Flip key {piece} and put it on the leftmost free place of the Hacker track."),
    ),
    "key-not-left": FaultText(
        N_("The played keys on the Hacker track have a gap."),
        N_("A played key goes to the leftmost free place of the Hacker track."),
        N_("Push the played keys to the left."),
    ),
    "keys-not-returned": FaultText(
        N_("{player}'s keys reached the Hacker and were not taken back."),
        N_("When the played keys reach the Hacker, all of them return to the board at once."),
        N_("Flip all played keys back to their spaces; neutral X keys go to the supply."),
    ),
    "keys-returned-early": FaultText(
        N_("{player} took back all keys although they do not reach the Hacker yet."),
        N_("Played keys return only when they reach the Hacker."),
        N_("Put the played keys face down on the Hacker track again, the key just played last."),
    ),
    "neutral-x-kept": FaultText(
        N_("{player} kept a neutral X key that should have gone to the supply."),
        N_("When keys return, neutral X keys go to the supply; only the X of your colour comes back."),
        N_("Put the neutral X key back into the supply."),
    ),
    "not-resurfaced": FaultText(
        N_("The {piece} was activated on level {level} and did not resurface."),
        N_("The activated diver goes to the top of the column unless a battery pays for its oxygen."),
        N_("Move the {piece} to the top and shift the others down, or pay 1 battery."),
    ),
    "wrong-diver-resurfaced": FaultText(
        N_("The {seen} resurfaced, but the {wanted} was activated."),
        N_("The diver at the level of the key is the one that resurfaces."),
        N_("Put the {seen} back and move the {wanted} to the top."),
    ),
    "column-order": FaultText(
        N_("{player}'s divers do not stand in the order they should."),
        N_("When a diver moves, those it passes shift one place; nobody else changes the order."),
        N_("Put the {wanted} where the {seen} lies and check the column."),
    ),
    "propeller-too-far": FaultText(
        N_("{player} moved the {piece} further than the Mechanic allows."),
        N_("A propeller moves a diver at most as far as the Mechanic tile shows."),
        N_("Put the {piece} back or move it a shorter way."),
    ),
    "propeller-without-battery": FaultText(
        N_("{player} moved the {piece} with its propeller without a battery to pay for it."),
        N_("Each propeller move costs 1 battery."),
        N_(
            "Put the {piece} back where it stood, also if the column only got out of order; "
            "or lay the battery out where it can be seen."
        ),
    ),
    "upgrade-without-right": FaultText(
        N_("The {piece} was flipped, but nothing in this turn allowed it."),
        N_("Only sponsor 4 and a reward that shows it flip a diver to its upgraded side, never back."),
        N_("Flip the {piece} back to its {wanted} side."),
    ),
    "upgrade-without-money": FaultText(
        N_("{player} upgraded the {piece} without the 2 credits it costs."),
        N_("Sponsor 4 costs 2 credits."),
        N_("Flip the {piece} back and take the prestige back."),
    ),
    "cube-wrong-colour": FaultText(
        N_("A cube of the wrong colour lies on level {level}."),
        N_("A diver finds cubes of its own colour only; a reward gives one of the two colours it shows."),
        N_("Level {level} should hold {wanted}; it holds {seen}. Exchange the cube."),
    ),
    "cube-wrong-level": FaultText(
        N_("A cube was put on level {level}, which is not the level in play."),
        N_("Cubes found or bought go to the level of the key in play."),
        N_("Move the cube to the level of the key."),
    ),
    "too-many-cubes": FaultText(
        N_("There are more cubes on level {level} than this turn gives."),
        N_("A diver finds one cube each time its effect is used."),
        N_("Level {level} should hold {wanted}; it holds {seen}. Put the rest back into the supply."),
    ),
    "level-over-capacity": FaultText(
        N_("Level {level} holds more cubes than it has spaces."),
        N_("A cube needs a free space; the levels have 3, 3, 4, 5 and 6."),
        N_("Take the cube that found no space off level {level}."),
    ),
    "cube-thrown-away": FaultText(
        N_("A cube vanished from level {level}."),
        N_("Cubes leave a level only for a contract, a sale or a move; none is thrown away to make room."),
        N_("Level {level} should hold {wanted}; put the cube back."),
    ),
    "store-wrong-row": FaultText(
        N_("The cube was not put into, or taken from, the right row of the Store."),
        N_("Selling fills the topmost free row of a column, buying takes the lowest cube."),
        N_("Push the cubes of that column together at the top."),
    ),
    "store-wrong-column": FaultText(
        N_("The cube stands in the wrong column of the Store."),
        N_("Each colour has its own column in the Store."),
        N_("Move the cube to the column of its colour."),
    ),
    "sold-to-full-column": FaultText(
        N_("{player} sold a cube to a column of the Store that was full."),
        N_("A cube cannot be sold when its column has no free row."),
        N_("Take the cube and what was gained for it back."),
    ),
    "bought-without-money": FaultText(
        N_("{player} bought a cube without the credits it costs."),
        N_("A cube bought costs the credits of the row it is taken from."),
        N_("Put the cube back into the Store."),
    ),
    "contract-without-cubes": FaultText(
        N_("{player} completed contract {piece} without the cubes it asks for."),
        N_("All cubes of a contract come from one level of your zone."),
        N_("Put contract {piece} back and move the score marker back."),
    ),
    "contract-wrong-cubes": FaultText(
        N_("The wrong cubes were paid for contract {piece}."),
        N_("A contract is paid with exactly the cubes it shows, from one level."),
        N_("Level {level} should hold {wanted}; it holds {seen}."),
    ),
    "contract-not-replaced": FaultText(
        N_("Contract {piece} was completed and not replaced."),
        N_("A public contract is replaced at once from the deck."),
        N_("Take contract {piece} away and lay the next card of the deck there."),
    ),
    "score-not-moved": FaultText(
        N_("{player}'s score marker stands on {seen}; it should have moved to {wanted}."),
        N_("Prestige is marked on the Score track as soon as it is gained."),
        N_("Move {player}'s marker to {wanted}."),
    ),
    "score-wrong": FaultText(
        N_("{player}'s score marker stands on {seen}; it should stand on {wanted}."),
        N_("The marker moves by the prestige gained, no more and no less."),
        N_("Move {player}'s marker to {wanted}."),
    ),
    "sponsors-not-rotated": FaultText(
        N_("{player} played an X key and the sponsors were not moved."),
        N_("An X key first moves the sponsor of level 5 to level 1 and all others down one level."),
        N_("Move the sponsor of level 5 to level 1 and the others down one level."),
    ),
    "sponsors-wrong": FaultText(
        N_("The sponsors do not stand as they should."),
        N_("Only an X key moves the sponsors: level 5 to level 1, all others down one level."),
        N_("The sponsor of level {level} should be {wanted}; it is {seen}."),
    ),
    "reward-wrong-level": FaultText(
        N_("A reward was taken from level {level} of the Display, which is not the level in play."),
        N_("The Explorer and sponsor 2 take a reward of the level in play."),
        N_("Put the reward back and take one of the right level."),
    ),
    "reward-not-replaced": FaultText(
        N_("A reward of level {level} of the Display was taken and not replaced."),
        N_("A reward taken is replaced from the bag at once, so that two lie at every level."),
        N_("Draw a reward from the bag for level {level}."),
    ),
    "permanent-wrong-level": FaultText(
        N_("The reward was laid on level {seen} of the board; the Explorer was on level {wanted}."),
        N_("The Explorer's reward is flipped and laid on the level the Explorer stands on."),
        N_("Move the reward to level {wanted}."),
    ),
    "technician-without-right": FaultText(
        N_("The {piece} was moved, but nothing in this turn allowed it."),
        N_("Only the Engineer improves the Mechanic or the Hacker."),
        N_("Move the {piece} back to step {wanted}."),
    ),
    "technician-too-far": FaultText(
        N_("The {piece} was moved too far."),
        N_("The Engineer moves the Mechanic or the Hacker one step."),
        N_("Move the {piece} back to step {wanted}."),
    ),
    "other-board-changed": FaultText(
        N_("Something changed on {player}'s board, whose turn it is not."),
        N_("A player's pieces move in that player's own turn only."),
        N_("There should be {wanted}; there is {seen}."),
    ),
    "out-of-turn": FaultText(
        N_("{player} played out of turn."),
        N_("Players take turns clockwise."),
        N_("Take the turn back; it is another player's turn."),
    ),
}


def fault(name: str, slots: tuple[str, ...], **values: str) -> Fault:
    """A fault of the catalogue with all its placeholders filled, those not given with nothing."""
    assert name in FAULTS, name
    assert values.keys() <= set(PLACEHOLDERS), values
    return Fault(name, slots, tuple((key, values.get(key, "")) for key in PLACEHOLDERS))


def text(fault: Fault) -> str:
    """The English sentence of a fault."""
    return FAULTS[fault.id].sentence.format(**dict(fault.values))
