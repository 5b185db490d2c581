"""One-sentence notices for the players: an id, what fills it, and the English sentence.

The view looks the sentence up in the players' language; logs and the command line use the English one.
"""

from dataclasses import dataclass


def N_(text: str) -> str:
    """Marks a text for translation without translating it here."""
    return text


SENTENCES = {
    "not-your-turn": N_("It is {name}'s turn."),
    "nothing-changed": N_("The boards stand as before: play a key first, {name}."),
    "nothing-to-undo": N_("There is nothing to take back."),
    "nothing-to-redo": N_("There is nothing to bring back."),
    "undone": N_("Taken back: {step}."),
    "redone": N_("Brought back: {step}."),
    "cannot-see": N_("{why}"),
    "camera-lost": N_("The game goes on by touch. {why}"),
    "camera-silent": N_("The camera does not answer: the game goes on by touch."),
    "camera-back": N_("The camera is back."),
    "last-round": N_("{name} has {score} prestige: this is the last round."),
    "journal-full": N_("The disk is full. The game goes on in memory; make room in {folder}."),
    "journal-unwritable": N_(
        "{folder} cannot be written ({why}). The game goes on in memory; keep the power on."
    ),
    "journal-newer": N_(
        "The file of games was written by a newer companion: update this one. The game is kept in memory."
    ),
    "journal-back": N_("The game is on the disk again, nothing is missing."),
    "journal-damaged": N_(
        "The file of games was damaged. It is kept as {file}; {events} events were saved from it."
    ),
    "still-unfit": N_("Later turns no longer fit: {turns}."),
    "not-understood": N_("That does not fit here: {why}."),
    "settings-not-kept": N_(
        "The settings could not be written ({why}); they hold until the companion is closed."
    ),
    "no-cards": N_("The cards of {pack} cannot be read: {why}."),
}


@dataclass(frozen=True)
class Notice:
    """`values` fill the sentence of `id`."""

    id: str
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return SENTENCES[self.id].format(**dict(self.values))


def notice(notice_id: str, /, **values: object) -> Notice:
    """A notice whose values fill its sentence.

    >>> str(notice("not-your-turn", name="Ana"))
    "It is Ana's turn."
    """
    return Notice(notice_id, tuple((key, str(value)) for key, value in values.items()))
