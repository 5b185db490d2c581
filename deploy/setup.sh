#!/usr/bin/env bash
# Creates the environment this project runs and is tested in: setup.sh VENV
# Installs missing system packages when it may, otherwise prints the one line to run.
set -euo pipefail
venv=${1:?usage: setup.sh VENV}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}

say() { printf '%s\n' "$*" >&2; }

"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || {
  say "Python 3.11, 3.12 or 3.13 is needed; $("$python" --version) was found. Set PYTHON=/path/to/python3.11."
  exit 2
}

# What Kivy draws with (EGL and GL), what OpenCV links to, and venv itself, which Debian packages apart.
needed=()
have_library() { ldconfig -p | grep -q "$1"; }
have_library libEGL.so.1 || needed+=(libegl1)
have_library libGL.so.1 || needed+=(libgl1)
have_library libglib-2.0.so.0 || needed+=(libglib2.0-0)
"$python" -c 'import ensurepip' 2>/dev/null || needed+=(python3-venv)
if [ ${#needed[@]} -gt 0 ]; then
  install=(apt-get install -y --no-install-recommends "${needed[@]}")
  if [ "$(id -u)" -eq 0 ]; then
    say "Installing ${needed[*]} ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${install[@]}" -qq >&2
  elif sudo -n true 2>/dev/null; then
    say "Installing ${needed[*]} ..."
    sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive "${install[@]}" -qq >&2
  else
    say "Some system packages are missing. Run this once, then try again:"
    say "  sudo ${install[*]}"
    exit 2
  fi
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
say "Installing the Python packages (a few minutes the first time) ..."
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$here/requirements-dev.txt"
# picamera2 needs a Raspberry Pi to be imported; the tests only read its source, so it stays out of the way.
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --upgrade \
  --target "$venv/share/picamera2-source" -r "$here/requirements-picamera2.txt"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e "$here/.."
say "Ready."
