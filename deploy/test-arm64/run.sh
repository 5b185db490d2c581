#!/usr/bin/env bash
# make test-arm64: installs the companion in an emulated 64-bit arm root, reads a simulated frame, draws a screen and
# removes it again.
# Needs root, the network the first time, and about 20 minutes. The root (1.5 GB) is kept in OTYS_ARM64_ROOT and reused.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
root=${OTYS_ARM64_ROOT:-/var/tmp/otys-test-arm64}/root
python=${PYTHON:-$project/.venv/bin/python}
mirror=${OTYS_DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { printf '%s\n' "$*" >&2; }

[ "$(id -u)" -eq 0 ] || { say "An emulated root can only be built by root: run it with sudo."; exit 2; }
needed=()
command -v debootstrap >/dev/null || needed+=(debootstrap)
command -v qemu-aarch64-static >/dev/null || needed+=(qemu-user-static binfmt-support)
if [ ${#needed[@]} -gt 0 ]; then
  say "Installing ${needed[*]} ..."
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${needed[@]}" >&2
fi
binfmt=/proc/sys/fs/binfmt_misc
if [ ! -e $binfmt/register ]; then
  mount -t binfmt_misc binfmt_misc $binfmt
  trap 'umount $binfmt' EXIT
fi
[ -e $binfmt/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64

if [ ! -e "$root/.bootstrapped" ]; then
  say "Building an arm64 Debian trixie root in $root (some minutes) ..."
  debootstrap --arch=arm64 --variant=minbase --include=ca-certificates,python3,python3-venv trixie "$root" "$mirror" >&2
  touch "$root/.bootstrapped"
fi

cp /etc/resolv.conf "$root/etc/resolv.conf"
# The processor is the Pi 4's. A fancier one would make numpy take instructions that no Pi has.
# shellcheck disable=SC2016  # expanded by the inner shell
inside() {
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    QEMU_CPU=cortex-a72 PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels PIP_ROOT_USER_ACTION=ignore SDL_VIDEODRIVER=offscreen SYSTEMD_OFFLINE=1 \
    unshare --mount --fork sh -ec '
      root=$1 project=$2; shift 2
      mount -t proc proc "$root/proc"
      mount --bind /dev "$root/dev"
      mkdir -p "$root/project"
      mount --bind "$project" "$root/project"
      exec chroot "$root" "$@"' sh "$root" "$project" "$@"
}

# An emulated machine is too slow for the network's patience: the wheels are fetched here, for arm64.
say "Fetching the wheels for arm64 ..."
mkdir -p "$root/srv/wheels"
"$python" "$project/deploy/check_arm64.py" --download 3.13 "$root/srv/wheels"

# What every Raspberry Pi OS has and a minimal Debian lacks. Offline, systemctl changes files and starts nothing.
if [ ! -e "$root/.systemd" ]; then
  say "Installing systemd there ..."
  inside apt-get update -qq
  inside apt-get install -y -qq --no-install-recommends systemd >&2
  touch "$root/.systemd"
fi

# Drawing and teaching the sample there would take an hour.
say "Preparing the sample game ..."
OTYS_DATA="$root/srv/sample" "$python" -c 'from companion.sample import open_pack; open_pack("otys-sample", print)' >&2
rm -rf "$root/var/lib/otys-companion"
mkdir -p "$root/var/lib/otys-companion"
cp -r "$root/srv/sample/packs" "$root/var/lib/otys-companion/"

say "Installing with deploy/install.sh ..."
inside /project/deploy/install.sh --yes >&2
as_otys() { inside runuser -u otys -- "$@"; }
expect() { # expect WHAT COMMAND...
  local what=$1
  shift
  if "$@" >/dev/null; then say "ok   $what"; else say "FAIL $what"; exit 1; fi
}
expect "it is an arm64 machine" test "$(inside uname -m)" = aarch64
expect "the user is in the camera's group and cannot log in" inside sh -c 'id -nG otys | grep -qw video && getent passwd otys | grep -q nologin'
expect "the service starts at power-on" inside systemctl is-enabled otys-companion.service
expect "the service is spelt right" inside systemd-analyze verify --man=no /etc/systemd/system/otys-companion.service
expect "the user can write games" as_otys touch /var/lib/otys-companion/writable
expect "the command runs as that user" as_otys otys-companion games

# The table and its pack are made here, where that is fast; they are read there.
say "Simulating a table and teaching its pack ..."
rm -rf "$root/srv/table"
"$python" -m companion simulate --out "$root/srv/table" --seed 1 --players 2 --turns 1 --conditions easy >&2
"$python" -m companion enrol "$root/srv/table/pack" >&2
say "Reading a frame of it, here and there ..."
frame=frames/001.jpg
"$python" -m companion look "$root/srv/table/$frame" --pack "$root/srv/table/pack" --json >"$root/srv/same.json"
as_otys otys-companion look "/srv/table/$frame" --pack /srv/table/pack --json >"$root/srv/look.json"

say "Drawing a screen ..."
rm -rf "$root/srv/screens"
inside /opt/otys-companion/venv/bin/python -m companion.ui.gallery /srv/screens --screens welcome --sizes 800x480 --languages en >&2
"$python" "$here/check.py" "$root/srv/table" "$root/srv/look.json" "$root/srv/same.json" "$root/srv/screens/welcome-800x480-en.png"

say "Removing it ..."
inside /project/deploy/install.sh --uninstall --yes >&2
expect "nothing is left but the games" inside sh -c '
  [ ! -e /opt/otys-companion ] && [ ! -e /usr/local/bin/otys-companion ] && [ -e /var/lib/otys-companion/writable ] &&
  [ ! -e /etc/systemd/system/otys-companion.service ] && ! systemctl is-enabled otys-companion.service 2>/dev/null'
