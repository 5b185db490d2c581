"""What holds for every command: help, exit codes, one-line errors."""

import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize("command", ["play", "calibrate"])
@pytest.mark.parametrize("pictures", ["none", "."])
def test_a_folder_without_pictures_is_refused_before_the_sample_is_taught(
    command: str,
    pictures: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path / "data"))
    assert main([command, "--camera", f"folder:{tmp_path / pictures}"]) == BAD_INPUT
    err = capsys.readouterr().err
    assert err.startswith(f"otys-companion: --camera folder:{tmp_path}") and len(err.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_trouble_of_the_system_is_a_sentence_that_begins_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()

    def write(*_: object, **__: object) -> None:
        (tmp_path / "file" / "deeper").mkdir()

    monkeypatch.setattr(cli, "main", write)
    monkeypatch.delenv("OTYS_DEBUG", raising=False)
    assert main([]) == BAD_INPUT
    said = f"otys-companion: {tmp_path}/file/deeper: not a directory; check the path"
    assert capsys.readouterr().err.startswith(said)
