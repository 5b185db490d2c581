"""A turn by touch: the legal next steps in groups, so that one finger never meets more than it can read."""

from collections.abc import Callable
from typing import Final

from companion import actions
from companion.rules import Position, Step
from companion.rules.steps import CompleteContract, Dive, EndTurn, Oxygen, PlayKey, Propel, UseSponsor
from companion.state import Entering, State
from companion.view.box import Box
from companion.view.language import N_, Say
from companion.view.parts import bar, player_of, voice
from companion.view.placing import private_choice, unknown
from companion.view.screens import Choice, EnteringScreen, StepGroup
from companion.view.words import diver, step_detail, step_words, told

_GROUPS: Final[tuple[tuple[str, str, Callable[[Step], bool]], ...]] = (
    (N_("Key"), "key", lambda step: isinstance(step, PlayKey) and isinstance(step.key, int)),
    (N_("X keys"), "key", lambda step: isinstance(step, PlayKey) and not isinstance(step.key, int)),
    (N_("Sponsor"), "sponsor", lambda step: isinstance(step, UseSponsor)),
    (N_("Diver"), "diver", lambda step: isinstance(step, Dive)),
    (N_("Propeller"), "propeller", lambda step: isinstance(step, Propel)),
    (N_("Contract"), "contract", lambda step: isinstance(step, CompleteContract)),
    (N_("Oxygen"), "oxygen", lambda step: isinstance(step, Oxygen)),
)


def draw(state: State, box: Box) -> EnteringScreen:
    """Needs `Entering`."""
    assert isinstance(state.mode, Entering)
    say, mode = voice(state), state.mode
    partial = mode.partial
    player = player_of(partial, partial.to_play)
    steps = partial.progress.steps if partial.progress else ()
    so_far = ", ".join(words for _, words in told(say, steps, partial.start_of_turn))
    title = (
        say("Correct turn {n}", n=mode.correcting)
        if mode.correcting is not None
        else say("{name}'s turn by touch", name=player.name)
    )
    return EnteringScreen(
        bar(state, title, player=player, back=actions.CANCEL, with_status=False),
        player,
        so_far or say("Choose the key that was played."),
        tuple(
            group
            for group in (
                *(_group(say, partial, mode.choices, *about) for about in _GROUPS),
                StepGroup(
                    say("Private contract"), "contract", tuple(filter(None, [private_choice(say, partial)]))
                ),
                StepGroup(say("New cards"), "question", unknown(say, partial)),
            )
            if group.choices
        ),
        (
            Choice(say("Step back"), actions.STEP_BACK, icon="undo", enabled=bool(steps)),
            Choice(
                say("End of the turn"),
                actions.ENTERED,
                icon="check",
                tone="strong",
                enabled=mode.complete or _can_end(mode.choices),
            ),
        ),
    )


def _can_end(choices: tuple[Step, ...]) -> bool:
    return any(isinstance(step, EndTurn) for step in choices)


def _group(
    say: Say, at: Position, choices: tuple[Step, ...], title: str, icon: str, belongs: Callable[[Step], bool]
) -> StepGroup:
    """The choices that belong together. Cards a player might have drawn are private: they become one button."""
    alike: dict[str, dict[str, int]] = {}  # words -> what tells apart those that share them -> number
    for number, step in enumerate(choices):
        if belongs(step):
            words = step_words(say, step, at)
            if isinstance(step, PlayKey):
                words = say("{name}: {what}", name=words, what=diver(say, at.player.diver_at(step.level)))
            alike.setdefault(words, {}).setdefault(step_detail(say, step), number)
    return StepGroup(
        say(title),
        icon,
        tuple(
            Choice(
                _sentence(f"{words} ({detail})" if len(numbers) > 1 else words), actions.CHOOSE_STEP, number
            )
            for words, numbers in alike.items()
            for detail, number in numbers.items()
        ),
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
