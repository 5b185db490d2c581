"""The installer, run for real in a scratch root with the system's own commands replaced by ones that take notes."""

import configparser
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
INSTALL = PROJECT / "deploy" / "install.sh"
DATA = "/var/lib/otys-companion"

# Each writes down how it was called. FACTS are files a test changes to describe the machine.
COMMANDS = {
    "apt-get": 'if [ "$1" = install ]; then touch "$FACTS/packages"; fi',
    "apt-cache": '! grep -qs "^$2$" "$FACTS/not-offered"',
    "dpkg-query": '[ -e "$FACTS/packages" ] && echo "install ok installed"',
    "useradd": 'touch "$FACTS/user"',
    "runuser": "",
    "usermod": 'echo "$2" >> "$FACTS/groups"',
    "getent": '[ "$2" != render ]',
    "systemctl": 'if [ "$1" = get-default ]; then cat "$FACTS/target" 2>/dev/null || true; fi',
    "findmnt": 'case "${@: -1}" in */) cat "$FACTS/system" ;; *) cat "$FACTS/filesystem" ;; esac',
    "uname": 'cat "$FACTS/machine"',
    "id": """case "$*" in
      -u) cat "$FACTS/uid" ;;
      "-nG otys") [ -e "$FACTS/user" ] && { echo otys; cat "$FACTS/groups" 2>/dev/null || true; } | tr '\\n' ' ' ;;
      otys) [ -e "$FACTS/user" ] ;;
    esac""",
    # A virtual environment whose Python only takes notes, too.
    "python3": 'if [ "$2" = venv ]; then mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; fi',
    # The user does not exist here, so nobody can own anything.
    "install": 'exec /usr/bin/install $(printf "%s\\n" "$@" | sed -e "/^-[og]$/,+1d")',
}
READ_ONLY = {"apt-cache", "dpkg-query", "getent", "findmnt", "uname", "id"}


class Machine:
    """A Raspberry Pi that exists only on paper."""

    def __init__(self, folder: Path, **facts: str) -> None:
        self.root = folder / "root"
        self.facts = folder / "facts"
        self.notes = folder / "notes"
        self.bin = folder / "bin"
        for made in (self.root / "etc", self.facts, self.bin):
            made.mkdir(parents=True)
        (self.root / "etc/os-release").write_text(f"VERSION_CODENAME={facts.pop('release', 'trixie')}\n")
        facts = {"uid": "0", "machine": "aarch64", "system": "ext4", "filesystem": "ext4", **facts}
        for name, text in facts.items():
            (self.facts / name).write_text(text + "\n")
        for name, body in COMMANDS.items():
            command = self.bin / name
            note = "" if name in READ_ONLY else f'echo "{name} $*" >> "$NOTES"\n'
            command.write_text(f"#!/bin/bash\n{note}{body}\n")
            command.chmod(0o755)

    def install(self, *options: str, expect: int = 0) -> str:
        environment: Mapping[str, str] = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "FACTS": str(self.facts),
            "NOTES": str(self.notes),
        }
        run = subprocess.run(
            ["bash", str(INSTALL), "--root", str(self.root), *options],
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert run.returncode == expect, run.stdout + run.stderr
        return run.stdout + run.stderr

    def done(self) -> list[str]:
        """The commands that changed the machine since the last time."""
        if not self.notes.exists():
            return []
        lines = self.notes.read_text().replace(str(self.root), "").splitlines()
        self.notes.unlink()
        return [line for line in lines if not line.startswith("systemctl get-default")]

    def file(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}


def test_every_step_is_done_in_order(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    done = machine.done()
    expected = [
        "apt-get update",
        "apt-get install -y -qq --no-install-recommends python3-venv libegl1",
        "useradd --system --no-create-home --home-dir /var/lib/otys-companion --shell /usr/sbin/nologin otys",
        "usermod -aG video otys",
        "usermod -aG input otys",
        "usermod -aG gpio otys",
        "install -d -m 750 -o otys -g otys /var/lib/otys-companion",
        "install -d -m 755 /opt/otys-companion",
        "python3 -m venv --system-site-packages /opt/otys-companion/venv",
        "python -m pip install --quiet --disable-pip-version-check --require-hashes -r",
        "python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation",
        "install -d -m 755 /usr/local/bin",
        "runuser -u otys -- env HOME=/var/lib/otys-companion OTYS_DATA=/var/lib/otys-companion /opt/otys-companion/venv",
        "install -d -m 755 /etc/systemd/system",
        "systemctl daemon-reload",
        "systemctl enable otys-companion.service",
        "systemctl restart otys-companion.service",
    ]
    assert done[1].endswith("libxss1 libglib2.0-0t64 cage xwayland python3-picamera2 python3-lgpio")
    # The environment's Python is a copy of the python3 above and notes itself under that name.
    done = [line.replace("python3 -m pip", "python -m pip") for line in done]
    assert len(done) == len(expected), "\n".join(done)
    for line, start in zip(done, expected, strict=True):
        assert line.startswith(start)
    assert (machine.root / DATA.lstrip("/")).stat().st_mode & 0o777 == 0o750


def test_the_package_list_fits_the_release(tmp_path: Path) -> None:
    for release, name in (("trixie", "requirements.txt"), ("bookworm", "requirements-bookworm.txt")):
        machine = Machine(tmp_path / release, release=release)
        machine.install("--yes")
        assert any(line.endswith(f"--require-hashes -r {PROJECT}/deploy/{name}") for line in machine.done())


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    first, texts = machine.done(), {name: (machine.root / name).read_bytes() for name in machine.files()}
    machine.install("--yes")
    again = machine.done()
    assert {name: (machine.root / name).read_bytes() for name in machine.files()} == texts
    assert not [
        line for line in again if line.startswith(("apt-get", "useradd", "usermod", "python3 -m venv"))
    ]
    assert len(again) < len(first)


def test_a_dry_run_prints_the_steps_and_changes_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, uid="1000")
    before = machine.files()
    text = machine.install("--dry-run")
    assert machine.done() == []
    assert machine.files() == before
    assert text.endswith("Nothing was changed.\n")
    for step in (
        "apt-get install -y -qq --no-install-recommends python3-venv",
        "useradd --system",
        "usermod -aG gpio otys",
        "python3 -m venv --system-site-packages",
        "--require-hashes",
        "write the service /etc/systemd/system/otys-companion.service",
        "systemctl restart otys-companion.service",
    ):
        assert step in text


def test_a_dry_run_shows_the_steps_on_any_machine(tmp_path: Path) -> None:
    machine = Machine(tmp_path, release="bullseye", machine="x86_64", filesystem="overlay")
    text = machine.install("--dry-run")
    assert text.count("\n! ") + text.startswith("! ") == 3
    assert "systemctl restart otys-companion.service" in text
    assert machine.done() == []


def test_it_asks_and_without_an_answer_changes_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert "run it again with --yes" in machine.install(expect=2)
    assert machine.done() == []


@pytest.mark.parametrize(
    ("facts", "options", "sentence"),
    [
        ({"uid": "1000"}, ["--yes"], "run it with sudo"),
        ({"release": "bullseye"}, ["--yes"], "Raspberry Pi OS Trixie or Bookworm"),
        ({"machine": "armv7l"}, ["--yes"], "a 64-bit Raspberry Pi OS is needed; this one is armv7l"),
        ({"system": "overlay"}, ["--yes", "--data", "/mnt/games"], "Switch it off in raspi-config"),
        ({"filesystem": "overlay"}, ["--yes"], "forgets everything at power-off"),
        ({"filesystem": "exfat"}, ["--yes", "--data", "/mnt/stick"], "Format that disk as ext4"),
        ({"filesystem": "tmpfs"}, ["--yes", "--data", "/run/games"], "/run/games lies on tmpfs"),
        ({}, ["--data", "games"], "must be an absolute folder"),
        ({}, ["--data", "/mnt/a|b"], "letters, digits"),
        ({}, ["--fast"], "--fast is not known"),
    ],
)
def test_what_cannot_work_is_refused_with_a_sentence(
    tmp_path: Path, facts: dict[str, str], options: list[str], sentence: str
) -> None:
    machine = Machine(tmp_path, **facts)
    assert sentence in machine.install(*options, expect=2)
    assert machine.done() == []


def test_games_can_live_on_another_disk_when_the_root_is_an_overlay(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes", "--data", "/mnt/games")
    service = machine.file("/etc/systemd/system/otys-companion.service")
    assert "Environment=OTYS_DATA=/mnt/games\n" in service
    assert "RequiresMountsFor=/mnt/games\n" in service
    assert "WorkingDirectory=/mnt/games\n" in service
    launcher = machine.file("/usr/local/bin/otys-companion")
    assert 'OTYS_DATA="${OTYS_DATA:-/mnt/games}"' in launcher
    assert 'XDG_CONFIG_HOME="${XDG_CONFIG_HOME:-/mnt/games/config}"' in launcher


def test_a_newer_version_keeps_the_games_where_they_are(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes", "--data", "/mnt/games")
    machine.install("--yes")
    assert "Environment=OTYS_DATA=/mnt/games\n" in machine.file("/etc/systemd/system/otys-companion.service")
    assert "packs in /mnt/games" in machine.install("--uninstall", "--yes")


def test_a_newer_version_is_started_even_if_the_old_one_runs(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    machine.done()
    machine.install("--yes")
    assert machine.done()[-1] == "systemctl restart otys-companion.service"


def test_package_lists_of_today_are_not_fetched_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    lists = machine.root / "var/lib/apt/lists"
    lists.mkdir(parents=True)
    (lists / "debootstrap.invalid_dists_trixie_main_binary-arm64_Packages").touch()
    machine.install("--yes")
    assert "apt-get update -qq" in machine.done()
    (machine.facts / "packages").unlink()
    (lists / "deb.debian.org_debian_dists_trixie_main_binary-arm64_Packages").touch()
    machine.install("--yes")
    done = machine.done()
    assert "apt-get update -qq" not in done
    assert [line for line in done if line.startswith("apt-get install")]


def test_without_the_kiosk_there_is_no_service_and_no_compositor(tmp_path: Path) -> None:
    machine = Machine(tmp_path, target="graphical.target")
    machine.install("--yes", "--no-kiosk")
    done = machine.done()
    assert not [line for line in done if "systemctl" in line or "cage" in line or "runuser" in line]
    assert not [line for line in done if line.startswith(("useradd", "usermod"))]
    # Whoever starts it has games of their own, which they may write.
    assert "OTYS_DATA" not in machine.file("/usr/local/bin/otys-companion")
    assert not (machine.root / DATA.lstrip("/")).exists()
    assert not (machine.root / "etc/systemd/system/otys-companion.service").exists()


def test_a_debian_without_the_pis_packages_is_told_and_gets_the_rest(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (machine.facts / "not-offered").write_text("python3-picamera2\n")
    assert "does not offer python3-picamera2" in machine.install("--yes")
    (line,) = [line for line in machine.done() if line.startswith("apt-get install")]
    assert "python3-picamera2" not in line
    assert "python3-lgpio" in line


def test_the_desktop_is_switched_off_and_on_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, target="graphical.target")
    machine.install("--yes")
    assert "systemctl set-default multi-user.target" in machine.done()
    machine.install("--uninstall", "--yes")
    assert "systemctl set-default graphical.target" in machine.done()


def test_uninstalling_keeps_the_games_and_can_be_repeated(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    machine.done()
    game = machine.root / DATA.lstrip("/") / "game.jsonl"
    game.write_text("{}")
    text = machine.install("--uninstall", "--yes")
    assert machine.done() == [
        "systemctl stop otys-companion.service",
        "systemctl disable otys-companion.service",
        "systemctl daemon-reload",
    ]
    assert machine.files() == {"etc/os-release", "var/lib/otys-companion/game.jsonl"}
    assert "Kept: the games" in text
    machine.install("--uninstall", "--yes")
    assert machine.done() == []


def test_uninstalling_asks_first(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    before = machine.files()
    assert "--yes" in machine.install("--uninstall", expect=2)
    assert machine.files() == before


def test_the_command_finds_the_program_and_the_games(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    launcher = machine.root / "usr/local/bin/otys-companion"
    assert launcher.stat().st_mode & 0o777 == 0o755
    subprocess.run(["sh", "-n", str(launcher)], check=True)
    assert "exec /opt/otys-companion/venv/bin/otys-companion" in launcher.read_text()


def service(machine: Machine) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, delimiters="=", interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(machine.file("/etc/systemd/system/otys-companion.service"))
    return parser


def test_the_service_is_a_kiosk_that_always_comes_back_and_is_watched(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    unit = service(machine)
    assert unit["Service"]["ExecStart"].startswith(
        "/usr/bin/cage -d -- /opt/otys-companion/venv/bin/otys-companion play"
    )
    assert unit["Service"]["Restart"] == "always"
    assert unit["Service"]["Type"] == "notify"
    assert unit["Service"]["NotifyAccess"] == "all"
    assert int(unit["Service"]["WatchdogSec"]) > 0
    assert "Environment=SDL_VIDEODRIVER=x11\n" in machine.file("/etc/systemd/system/otys-companion.service")
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Install"]["WantedBy"] == "multi-user.target"
    assert "@" not in machine.file("/etc/systemd/system/otys-companion.service").replace("getty@tty1", "")


def test_the_service_is_neither_root_nor_on_the_network(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.install("--yes")
    unit = service(machine)["Service"]
    assert unit["User"] == "otys"
    assert unit["NoNewPrivileges"] == "yes"
    assert unit["RestrictAddressFamilies"] == "AF_UNIX AF_NETLINK"
    assert unit["IPAddressDeny"] == "any"
    assert unit["ReadWritePaths"] == DATA


def scripts() -> list[Path]:
    return sorted((PROJECT / "deploy").rglob("*.sh"))


def test_every_shell_script_passes_shellcheck() -> None:
    found = scripts()
    assert INSTALL in found
    check = Path(sys.prefix) / "bin" / "shellcheck"
    run = subprocess.run([str(check), *map(str, found)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_every_shell_script_can_be_run_and_stops_at_the_first_error() -> None:
    for script in scripts():
        assert os.access(script, os.X_OK), script
        assert "set -euo pipefail" in script.read_text(), script
