"""The README and the documents do what they say: every command in them is run, every Python example too."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# These stay until somebody leaves them, so here only their help is asked for.
INTERACTIVE = ("play", "calibrate", "bench")


def fences(language: str) -> list[tuple[str, str]]:
    return [
        (f"{path.name}:{path.read_text()[: match.start()].count(chr(10)) + 1}", match[2])
        for path in DOCUMENTS
        for match in FENCE.finditer(path.read_text())
        if match[1] == language
    ]


@pytest.mark.parametrize(("where", "block"), fences("sh"), ids=[where for where, _ in fences("sh")])
def test_every_command_of_the_documents_runs(where: str, block: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "OTYS_DATA": str(tmp_path / "data"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    for line in block.strip().splitlines():
        words = shlex.split(line, comments=True)
        if not words or words[0] in ("git", "cd", "sudo"):
            continue
        if words[0] == "make":
            command, folder = ["make", "-n", *words[1:]], ROOT
        elif words[0] == "deploy/install.sh":
            command, folder = [*words, *({"--dry-run"} - set(words))], ROOT
        else:
            assert words[0] == "otys-companion", (
                f"{where}: only our own commands belong into a sh block: {line}"
            )
            command, folder = words, tmp_path
            if len(words) == 1 or words[1] in INTERACTIVE:
                command = [*words, "--help"]
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert ran.returncode == 0, f"{where}: {line}\n{ran.stdout}\n{ran.stderr}"


def test_every_python_example_gives_what_it_shows() -> None:
    for where, block in fences("python"):
        test = doctest.DocTestParser().get_doctest(block, {}, where, where, 0)
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0, where


def test_every_link_inside_the_project_leads_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)", path.read_text()):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name} links to {target}"
