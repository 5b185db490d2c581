#!/usr/bin/env bash
# make test-pi: the camera process with the real picamera2 on libcamera's virtual camera, and the kiosk under cage, in a
# Debian trixie root. Needs root and, the first time, the network and about ten minutes. The root is kept in OTYS_TEST_ROOT
# (about 1.5 GB) and reused; nothing stays mounted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
root=${OTYS_TEST_ROOT:-/var/tmp/otys-test-pi}/root
python=${PYTHON:-$project/.venv/bin/python}

"$here/build.sh" "$root"

# What the camera sees: frames of the simulated table, brought to the sensor's size.
[ -e "$root/srv/frames/000.jpg" ] || "$python" "$here/frames.py" "$root/srv/frames"

# shellcheck disable=SC2016  # expanded by the inner shell
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 LIBCAMERA_LOG_LEVELS='*:ERROR' \
  PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONPATH=/project:/srv/python:/project/deploy/test-pi LD_LIBRARY_PATH=/usr/lib \
  unshare --mount --fork sh -ec '
    root=$1 project=$2
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mkdir -p "$root/dev/shm" "$root/project"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount --bind "$project" "$root/project"
    chroot "$root" env LD_PRELOAD=/srv/udmabuf.so /venv/bin/python /project/deploy/test-pi/check.py
    chroot "$root" /venv/bin/python /project/deploy/test-pi/kiosk.py' \
  sh "$root" "$project"
