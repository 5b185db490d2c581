"""Writes the pictures the virtual camera shows: frames.py OUT. Frames of the simulated table at the sensor's size."""

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

SENSOR_PX = (4608, 2592)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        options = ["--out", folder, "--seed", "1", "--players", "2", "--turns", "3"]
        subprocess.run([sys.executable, "-m", "companion", "simulate", *options], check=True)
        frames = sorted(Path(folder, "frames").glob("*.jpg"))
        for number, frame in enumerate(frames):
            picture = cv2.resize(cv2.imread(str(frame)), SENSOR_PX, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(out / f"{number:03}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    print(f"{len(frames)} pictures of the simulated table in {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
