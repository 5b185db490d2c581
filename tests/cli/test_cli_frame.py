"""What holds for every command: help, exit codes, one-line errors."""

import subprocess
import sys

import pytest

from companion.cli import BAD_INPUT, COMMANDS, INTERNAL, cli, main


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"otys-companion {command}" in capsys.readouterr().out


def test_the_program_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert "otys-companion" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["look", "--nonsense"],
        ["rules", "nonsense"],
        ["play", "--camera", "telescope"],
    ],
)
def test_a_wrong_argument_is_one_line_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("otys-companion: ")


def test_an_error_of_ours_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall_over(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(cli, "main", fall_over)
    monkeypatch.delenv("OTYS_DEBUG", raising=False)
    assert main([]) == INTERNAL
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_module_runs_as_a_program() -> None:
    ran = subprocess.run([sys.executable, "-m", "companion", "--help"], capture_output=True, text=True)
    assert ran.returncode == 0
    assert "referee" in ran.stdout


def test_a_misspelt_command_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playy"]) == BAD_INPUT
    assert ", ".join(sorted(COMMANDS)) in capsys.readouterr().err
