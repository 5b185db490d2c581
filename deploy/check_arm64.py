"""Whether everything we need can be had on a 64-bit Raspberry Pi: check_arm64.py (needs the network).

check_arm64.py --download 3.13 DIR only fetches the wheels, for a machine that is slow or without network.

Every pinned package must have a wheel for arm64 for the Python of Raspberry Pi OS Bookworm (3.11) and Trixie (3.13),
or be a package of Raspberry Pi OS itself.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parent
LISTS = {"3.11": HERE / "requirements-bookworm.txt", "3.13": HERE / "requirements.txt"}
# Bookworm has glibc 2.36, Trixie 2.41: wheels for any earlier one run there.
GLIBC = {"3.11": 36, "3.13": 41}
FROM_THE_SYSTEM = {"picamera2": "python3-picamera2", "lgpio": "python3-lgpio"}


def pinned(path: Path, python: str) -> list[str]:
    """The requirements of a hashed list that apply to a Pi with this Python, each with its hashes on one line."""
    pi = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    pi |= {"platform_machine": "aarch64", "platform_system": "Linux", "os_name": "posix"}
    lines = [line.split("#")[0].strip() for line in path.read_text().replace("\\\n", " ").splitlines()]
    wanted = []
    for line in filter(None, lines):
        text, *hashes = line.split(" --hash=")
        requirement = Requirement(text)
        # Without the marker, which pip would judge by the Python that runs this.
        if requirement.marker is None or requirement.marker.evaluate(pi):
            wanted.append(
                " --hash=".join([f"{requirement.name}{requirement.specifier}", *map(str.strip, hashes)])
            )
    return wanted


def download(requirements: list[str], python: str, folder: Path) -> list[str]:
    """The wheels pip would take on the Pi, put into `folder`. Empty when one of them cannot be had."""
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(17, GLIBC[python] + 1)]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += [f"--platform={platform}" for platform in [*platforms, "manylinux2014_aarch64"]]
    command += [f"--python-version={python}", "--implementation=cp", f"--abi=cp{python.replace('.', '')}"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write("\n".join(requirements) + "\n")
        listed.flush()
        command += ["--abi=abi3", "--abi=none", "--require-hashes", "-d", str(folder), "-r", listed.name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        print(run.stderr.strip(), file=sys.stderr)
        return []
    return sorted(path.name for path in folder.glob("*.whl"))


def wheel(requirement: str, python: str) -> str | None:
    """The name of the wheel of one requirement, None when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        return next(iter(download([requirement], python, Path(folder))), None)


def main() -> int:
    missing = 0
    print("| package | Python 3.11 (Bookworm) | Python 3.13 (Trixie) |\n|---|---|---|")
    table: dict[str, dict[str, str]] = {}
    for python, path in LISTS.items():
        for requirement in pinned(path, python):
            name, _, version = requirement.split(" ")[0].partition("==")
            taken = wheel(requirement, python)
            kind = "pure Python" if taken and taken.endswith("-any.whl") else "arm64 wheel"
            table.setdefault(name, {})[python] = f"{version}, {kind}" if taken else f"{version}, **none**"
            missing += taken is None
            print(f"{python} {name}: {taken or 'no wheel'}", file=sys.stderr)
    for name, package in FROM_THE_SYSTEM.items():
        table[name] = dict.fromkeys(LISTS, f"`{package}`")
    for name in sorted(table):
        print(f"| {name} | {table[name].get('3.11', '')} | {table[name].get('3.13', '')} |")
    return 1 if missing else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--download"]:
        version, into = sys.argv[2:4]
        raise SystemExit(not download(pinned(LISTS[version], version), version, Path(into)))
    raise SystemExit(main())
