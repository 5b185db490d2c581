"""What can be wrong with a position, a notation or a step. Each says what, why and where."""


class RulesError(ValueError):
    """Anything the rules refuse."""


class MalformedPosition(RulesError):
    """A document that is no position, or one that no game can reach; the text names the place in it."""


class MalformedCards(RulesError):
    """A list of cards or reward tokens that cannot be read."""


class MalformedNotation(RulesError):
    """A step, a turn or a game that is not written in our notation."""


class IllegalStep(RulesError):
    """A well-written step that may not be played here.

    The sentence is put together only when it is read: looking for legal steps refuses many.
    """

    def __init__(self, step: object, why: str, where: object) -> None:
        super().__init__(step, why, where)
        self.step = step
        self.why = why
        self.where = where

    def __str__(self) -> str:
        return f"cannot play {self.step}: {self.why}, in {self.where}"
