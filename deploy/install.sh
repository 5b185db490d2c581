#!/usr/bin/env bash
# Installs the companion on Raspberry Pi OS (64-bit, Trixie or Bookworm) as a kiosk, or removes it again.
# Says what it will do and asks before it changes anything. Running it twice changes nothing the second time.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: sudo deploy/install.sh [--yes] [--dry-run] [--no-kiosk] [--data DIR] [--root DIR]
       sudo deploy/install.sh --uninstall [--yes] [--dry-run]

  --yes        do not ask
  --dry-run    print each step and change nothing (works without sudo)
  --no-kiosk   only the program, to be started by hand from a desktop; no service, and games in each user's own folder
  --data DIR   where the service keeps games and packs (/var/lib/otys-companion, or where it did before); must be on a
               disk that survives a power cut
  --root DIR   put the files below DIR instead of / (for images and tests)
  --uninstall  remove the program and its service; games and packs stay
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 2
}

# A machine this is not for: a dry run says so and goes on, to show the steps anywhere.
refuse() {
  [ "$dry" = yes ] || fail "$*"
  say "! $*"
}

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/.." && pwd)
user=otys
data=''
opt=/opt/otys-companion
unit=/etc/systemd/system/otys-companion.service
launcher=/usr/local/bin/otys-companion
groups=(video render input gpio)
# What Kivy's own SDL loads when it opens a window, and what OpenCV links to.
packages=(python3-venv libegl1 libgl1 libgl1-mesa-dri libgles2
  libx11-6 libxcursor1 libxext6 libxfixes3 libxi6 libxrandr2 libxss1)
# That SDL speaks X only, so cage needs Xwayland to show it.
kiosk_packages=(cage xwayland)
# Only Raspberry Pi OS has these; elsewhere the Pi's own camera and pins are missing and all else works.
pi_packages=(python3-picamera2 python3-lgpio)
root='' yes=no dry=no uninstall=no kiosk=yes

while [ $# -gt 0 ]; do
  case $1 in
    --yes) yes=yes ;;
    --dry-run) dry=yes ;;
    --uninstall) uninstall=yes ;;
    --no-kiosk) kiosk=no ;;
    --data) data=${2:?--data needs a folder}; shift ;;
    --root) root=${2:?--root needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "$1 is not known" ;;
  esac
  shift
done
# A newer version of the program keeps the games where they are.
[ -n "$data" ] || data=$(sed -n 's/^Environment=OTYS_DATA=//p' "$root$unit" 2>/dev/null || true)
[ -n "$data" ] || data=/var/lib/otys-companion
case $data in
  /*[!A-Za-z0-9/._-]*) fail "--data $data: use letters, digits, dots and dashes only" ;;
  /?*) ;;
  *) fail "--data $data must be an absolute folder, such as /var/lib/otys-companion" ;;
esac

# One line for each thing that is done; in a dry run only the line.
step() {
  say "- $1"
  shift
  if [ "$dry" = no ]; then "$@"; else say "    $*"; fi
}

finish() { if [ "$dry" = no ]; then say "$1"; else say "Nothing was changed."; fi; }

ask() {
  [ "$yes" = yes ] || [ "$dry" = yes ] && return
  [ -t 0 ] || fail "nobody is here to ask; run it again with --yes"
  local answer
  read -r -p "$1 [y/N] " answer
  case $answer in y | Y | yes) ;; *) fail "nothing was changed" ;; esac
}

release() { # the version name of this system, e.g. trixie
  sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release" 2>/dev/null
}

check_system() {
  [ "$dry" = yes ] || [ "$(id -u)" -eq 0 ] || fail "run it with sudo: packages and a service are installed"
  requirements=$here/requirements.txt
  case $(release) in
    trixie) packages+=(libglib2.0-0t64) ;;
    bookworm)
      packages+=(libglib2.0-0)
      requirements=$here/requirements-bookworm.txt
      ;;
    *) refuse "this is for Raspberry Pi OS Trixie or Bookworm; elsewhere use: make run" ;;
  esac
  [ "$(uname -m)" = aarch64 ] || refuse "a 64-bit Raspberry Pi OS is needed; this one is $(uname -m)"
  [ "$(kind_of "$root/")" != overlay ] ||
    refuse "the system is on an overlay, which forgets the installation at power-off. Switch it off in raspi-config, restart, install, and switch it on again"
}

# With an overlay root everything is forgotten at power-off, and the games with it.
check_data() {
  local kind
  kind=$(kind_of "$root$data")
  case $kind in
    overlay | tmpfs | ramfs)
      refuse "$data lies on $kind, which forgets everything at power-off. Give a folder on a writable partition or USB disk: --data /mnt/games"
      ;;
    vfat | exfat | ntfs*)
      refuse "$data lies on $kind, which cannot keep the games to one user and loses them easily at a power cut. Format that disk as ext4 (which erases it)"
      ;;
  esac
}

kind_of() { # of the file system a folder lies on, or will
  findmnt -n -o FSTYPE -T "$(nearest "$1")" || true
}

nearest() { # the folder itself, or the closest one above it that exists
  local folder=$1
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  say "$folder"
}

install_packages() {
  local missing=() offered=() name
  for name in "${packages[@]}" "${pi_packages[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "- system packages: all here"
    return
  fi
  if [ -n "$(find "$root/var/lib/apt/lists" -name '*_Packages*' ! -name 'debootstrap*' -ctime -1 -print -quit 2>/dev/null)" ]; then
    say "- package lists: fetched within a day"
  else
    step "look for newer package lists" apt-get update -qq
  fi
  for name in "${missing[@]}"; do
    case " ${pi_packages[*]} " in
      *" $name "*) apt-cache show "$name" >/dev/null 2>&1 || { say "! this system does not offer $name"; continue; } ;;
    esac
    offered+=("$name")
  done
  [ ${#offered[@]} -eq 0 ] ||
    step "install ${offered[*]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${offered[@]}"
}

make_user() {
  id "$user" >/dev/null 2>&1 ||
    step "make the user $user, who cannot log in" useradd --system --no-create-home --home-dir "$data" --shell /usr/sbin/nologin "$user"
  local group has
  has=" $(id -nG "$user" 2>/dev/null || true) "
  for group in "${groups[@]}"; do
    case $has in *" $group "*) continue ;; esac
    if getent group "$group" >/dev/null; then
      step "let $user use the $group devices" usermod -aG "$group" "$user"
    else
      say "- there is no group $group on this system; its devices stay closed"
    fi
  done
  step "make the folder for games and packs, $data" install -d -m 750 -o "$user" -g "$user" "$root$data"
}

install_program() {
  step "make $opt" install -d -m 755 "$root$opt"
  [ -x "$root$opt/venv/bin/python" ] ||
    step "make a Python environment that sees the system's picamera2" python3 -m venv --system-site-packages "$root$opt/venv"
  local pip=("$root$opt/venv/bin/python" -m pip install --quiet --disable-pip-version-check)
  step "install the Python packages, each checked against its hash" "${pip[@]}" --require-hashes -r "$requirements"
  step "install the companion" install_companion "${pip[@]}"
  step "make the command otys-companion" write_file "$launcher" 755 <<<"$(launcher_text)"
}

launcher_text() {
  say '#!/bin/sh'
  if [ "$kiosk" = yes ]; then
    say "# The games, packs and settings of the service, which belong to the user $user: sudo -u $user otys-companion ..."
    say "export OTYS_DATA=\"\${OTYS_DATA:-$data}\" XDG_CONFIG_HOME=\"\${XDG_CONFIG_HOME:-$data/config}\""
  fi
  say "exec $opt/venv/bin/otys-companion \"\$@\""
}

install_companion() { # builds from a copy, so that nothing is left in the sources
  local copy
  copy=$(mktemp -d)
  cp -r "$project"/{companion,vision,calibration,hardware} "$copy/"
  find "$project" -maxdepth 1 -type f -exec cp -t "$copy" {} +
  "$@" --no-deps --no-build-isolation --force-reinstall "$copy"
  rm -rf "$copy"
}

write_file() { # write_file PATH MODE < text; untouched when it already says so
  local path=$root$1 text
  text=$(cat)
  install -d -m 755 "$(dirname "$path")"
  if [ -f "$path" ] && [ "$(cat "$path")" = "$text" ]; then return; fi
  printf '%s\n' "$text" >"$path"
  chmod "$2" "$path"
}

# The first start would spend minutes on it before a screen appears.
prepare_sample() {
  step "draw and teach the sample game, once (some minutes)" runuser -u "$user" -- env HOME="$data" OTYS_DATA="$data" \
    "$root$opt/venv/bin/python" -P -c 'from companion.sample import open_pack; open_pack("otys-sample", print)'
}

install_service() {
  local text
  text=$(sed -e "s|@USER@|$user|g" -e "s|@DATA@|$data|g" "$here/otys-companion.service")
  step "write the service $unit" write_file "$unit" 644 <<<"$text"
  if [ "$(systemctl get-default 2>/dev/null || true)" = graphical.target ]; then
    ask "The desktop and the companion cannot share the screen. Start without the desktop from now on?"
    step "start without the desktop" systemctl set-default multi-user.target
    step "remember that, for --uninstall" write_file "$opt/desktop-was-on" 644 <<<yes
  fi
  step "make systemd read it" systemctl daemon-reload
  step "start it at every power-on" systemctl enable otys-companion.service
  # One that runs already would go on with the old version.
  step "start it now" systemctl restart otys-companion.service
}

remove_all() {
  [ "$dry" = yes ] || [ "$(id -u)" -eq 0 ] || fail "run it with sudo: a service is removed"
  ask "Remove the companion? Games and packs in $data stay."
  if [ -e "$root$unit" ]; then
    step "stop the service" systemctl stop otys-companion.service
    step "start it no longer at power-on" systemctl disable otys-companion.service
    step "remove $unit" rm -f "$root$unit"
    step "make systemd forget it" systemctl daemon-reload
  fi
  if [ -e "$root$opt/desktop-was-on" ]; then
    step "start with the desktop again" systemctl set-default graphical.target
  fi
  step "remove $opt and $launcher" rm -rf "$root$opt" "$root$launcher"
  finish "Removed. Kept: the games and packs in $data, the user $user, and the system packages."
}

if [ "$uninstall" = yes ]; then
  remove_all
  exit
fi
check_system
say "This installs the Otys companion: system packages (${packages[*]} ${pi_packages[*]}),"
if [ "$kiosk" = yes ]; then
  check_data
  packages+=("${kiosk_packages[@]}")
  say "with ${kiosk_packages[*]} for the screen, the program in $opt, the user $user in the groups ${groups[*]},"
  say "games and packs in $data, and a service that starts it on the touchscreen."
else
  say "the program in $opt, no user and no service."
fi
ask "Go on?"
install_packages
if [ "$kiosk" = no ]; then
  install_program
  finish "Done. Test every part with: otys-companion doctor"
  exit
fi
make_user
install_program
prepare_sample
install_service
finish "Done. Test every part with: sudo systemctl stop otys-companion; sudo -u $user otys-companion doctor"
