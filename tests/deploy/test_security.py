"""What the program may not do: reach the network, run what it reads, or become root."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[2]
NETWORK = {
    "socket",
    "socketserver",
    "ssl",
    "http",
    "urllib",
    "ftplib",
    "smtplib",
    "asyncio",
    "requests",
    "urllib3",
}
NETWORK |= {"xmlrpc", "telnetlib", "webbrowser", "aiohttp", "httpx"}
ONLY_TEXT = {"urllib.parse"}  # takes addresses apart and puts them together; opens none
UNSAFE_FORMATS = {"pickle", "marshal", "shelve", "dill", "joblib", "yaml"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}
BECOMES_ANOTHER = {"os.setuid", "os.seteuid", "os.setgid", "os.setegid"}
# The one local socket: systemd's, to say that we are alive.
WATCHDOG = "hardware/watchdog.py"


@dataclass(frozen=True)
class Module:
    imports: frozenset[str]
    calls: frozenset[str]
    text: str


@cache
def modules() -> dict[str, Module]:
    """Every file of ours, by its path in the project."""
    found = {}
    for room in ("companion", "vision", "calibration", "hardware"):
        for path in sorted((PROJECT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            imports: set[str] = set()
            calls: set[str] = set()
            for node in ast.walk(ast.parse(text)):
                match node:
                    case ast.Import(names=names):
                        imports |= {alias.name for alias in names}
                    case ast.ImportFrom(module=str(module), names=names, level=0):
                        imports |= {module} if module in ONLY_TEXT else {f"{module}.{a.name}" for a in names}
                    case ast.Call(func=ast.Name() | ast.Attribute() as function):
                        calls.add(ast.unparse(function))
            found[str(path.relative_to(PROJECT))] = Module(frozenset(imports), frozenset(calls), text)
    return found


def importing(packages: set[str]) -> dict[str, set[str]]:
    """Which files import one of the packages, and what of it."""
    hits = {
        name: {i for i in module.imports - ONLY_TEXT if i.partition(".")[0] in packages}
        for name, module in modules().items()
    }
    return {name: hit for name, hit in hits.items() if hit}


def test_the_whole_program_is_looked_at() -> None:
    assert {WATCHDOG, "companion/doctor.py", "vision/pack.py"} <= set(modules())


def test_nothing_of_ours_opens_a_network_connection() -> None:
    assert importing(NETWORK) == {WATCHDOG: {"socket"}}


def test_the_watchdogs_socket_is_a_local_one() -> None:
    tree = ast.parse(modules()[WATCHDOG].text)
    families = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr.startswith("AF_")}
    assert families == {"AF_UNIX"}


def test_files_from_outside_are_data_and_never_run() -> None:
    assert importing(UNSAFE_FORMATS) == {}
    for name, module in modules().items():
        assert not module.calls & RUNS_TEXT, name
        assert "allow_pickle=True" not in module.text, name
        assert "shell=True" not in module.text, name


def test_nothing_of_ours_asks_for_root() -> None:
    for name, module in modules().items():
        assert not module.calls & BECOMES_ANOTHER, name
