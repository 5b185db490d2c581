#!/usr/bin/env bash
# A Debian trixie root with libcamera, the real picamera2 and what the companion needs: build.sh ROOT
# Every step leaves a stamp, so a second call is immediate. Needs root and the network the first time.
set -euo pipefail
root=${1:?usage: build.sh ROOT}
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
mirror=${OTYS_DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { printf '%s\n' "$*" >&2; }

[ "$(id -u)" -eq 0 ] || { say "A Debian root can only be built by root: run it with sudo."; exit 2; }
command -v debootstrap >/dev/null || {
  say "Installing debootstrap ..."
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >&2
}

mkdir -p "$root"
if [ ! -e "$root/.bootstrapped" ]; then
  say "Building a Debian trixie root in $root (about three minutes) ..."
  debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv trixie "$root" "$mirror" >&2
  touch "$root/.bootstrapped"
fi

# Behind a proxy with its own certificate the root needs the machine's list of authorities.
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/ssl/certs/host.crt"
# shellcheck disable=SC2016  # expanded by the inner shell
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PIP_CERT=/etc/ssl/certs/host.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    unshare --mount --fork sh -ec '
      root=$1; shift
      mount -t proc proc "$root/proc"
      mount --bind /dev "$root/dev"
      exec chroot "$root" "$@"' sh "$root" "$@"
}

if [ ! -e "$root/.packages" ]; then
  say "Installing libcamera and a compiler in it ..."
  inside apt-get update -qq
  inside apt-get install -y -qq --no-install-recommends python3-libcamera libcamera-ipa libcamera-tools \
    gcc libc6-dev python3-dev libcap-dev libegl1 libgl1 libgl1-mesa-dri libglib2.0-0t64 \
    cage xwayland libx11-6 libxcursor1 libxext6 libxfixes3 libxi6 libxrandr2 libxss1 >&2
  touch "$root/.packages"
fi

lists="$project/deploy/requirements.txt $project/deploy/requirements-picamera2.txt"
# shellcheck disable=SC2086  # two file names, neither with spaces of ours
wanted=$(cat $lists | sha256sum)
if [ "$(cat "$root/.python" 2>/dev/null)" != "$wanted" ]; then
  say "Installing the companion's packages and the real picamera2 ..."
  # shellcheck disable=SC2086
  cp $lists "$root/root/"
  inside python3 -m venv --system-site-packages /venv
  inside /venv/bin/pip install --quiet --require-hashes -r /root/requirements.txt
  # Its own requirements have no hashes in our list: they only ever run inside this root.
  inside /venv/bin/pip install --quiet "$(sed -n 's/^\(picamera2==[0-9.]*\).*/\1/p' "$project/deploy/requirements-picamera2.txt")"
  printf '%s' "$wanted" >"$root/.python"
fi

# libcamera's virtual camera: a stand-in for the display library, dma buffers of plain memory, our frames.
gcc_stamp="$root/srv/udmabuf.so"
if [ "$here/udmabuf.c" -nt "$gcc_stamp" ]; then
  cp "$here/udmabuf.c" "$root/srv/"
  inside gcc -shared -fPIC -O1 -Wall -Werror -o /srv/udmabuf.so /srv/udmabuf.c -ldl
fi
install -D -m 644 "$here/pykms.py" "$root/srv/python/pykms.py"
install -D -m 644 "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
say "The root is ready: $root"
