"""How much of the table a camera sees from a given height, and how fine: the numbers of docs/hardware.md.

A lens that sees an angle across sees `2 * height * tan(angle / 2)` of the table, and the sensor's pixels share that.

python -m hardware.optics
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import radians, tan


@dataclass(frozen=True)
class Sight:
    """A camera with its lens. The angles are the maker's, over the full sensor; `models` as libcamera names them."""

    name: str
    models: tuple[str, ...]
    width_px: int
    height_px: int
    across_deg: float
    up_deg: float

    def field_mm(self, height_mm: float) -> tuple[float, float]:
        """Width and depth of what is seen of a table `height_mm` below the lens."""
        return (
            2 * height_mm * tan(radians(self.across_deg / 2)),
            2 * height_mm * tan(radians(self.up_deg / 2)),
        )

    def mm_per_px(self, height_mm: float) -> float:
        """On average over the picture, the coarser of both directions."""
        width_mm, depth_mm = self.field_mm(height_mm)
        return max(width_mm / self.width_px, depth_mm / self.height_px)

    @property
    def focal_widths(self) -> float:
        """The focal length in picture widths."""
        return 0.5 / tan(radians(self.across_deg / 2))

    def height_for(self, width_mm: float, depth_mm: float) -> float:
        """How high the lens must be to see an area of this size, either way round as it lies."""
        return max(
            width_mm / (2 * tan(radians(self.across_deg / 2))), depth_mm / (2 * tan(radians(self.up_deg / 2)))
        )


CAMERAS = (
    Sight("Camera Module 3", ("imx708", "imx708_noir"), 4608, 2592, 66.0, 41.0),
    Sight("Camera Module 3 Wide", ("imx708_wide", "imx708_wide_noir"), 4608, 2592, 102.0, 67.0),
    # 6.287 x 4.712 mm behind 6 mm; the maker's sheet rounds to 55 x 45 degrees, which no 4:3 sensor can see.
    Sight("HQ Camera, 6 mm lens", ("imx477",), 4056, 3040, 55.3, 42.9),
    Sight("HQ Camera M12, 8 mm lens", (), 4056, 3040, 49.0, 36.0),
)
# The colony in the middle, the players' boards with their trays to its sides; a hand's breadth to spare.
AREAS_MM = {"two players": (1070, 320), "three or four players": (1100, 500)}
HEIGHTS_MM = (500, 600, 700, 800, 900, 1000, 1100, 1200)
COARSEST_MM = 0.30  # the numerals on the smallest tokens are 3 mm high and need ten pixels


def focal_widths(model: str) -> float | None:
    """Of the camera libcamera knows by that name, with the lens it is sold with; None for one we do not know.

    >>> f"{focal_widths('imx708'):.2f}"
    '0.77'
    """
    return next((sight.focal_widths for sight in CAMERAS if model in sight.models), None)


def table() -> Iterator[str]:
    """Markdown: what each camera sees from each height."""
    yield "| height | " + " | ".join(sight.name for sight in CAMERAS) + " |"
    yield "|---|" + "---|" * len(CAMERAS)
    for height in HEIGHTS_MM:
        cells = []
        for sight in CAMERAS:
            width, depth = sight.field_mm(height)
            fine = sight.mm_per_px(height)
            mark = "" if fine <= COARSEST_MM else " (coarse)"
            cells.append(f"{width / 10:.0f} x {depth / 10:.0f} cm, {fine:.2f} mm/px{mark}")
        yield f"| {height / 10:.0f} cm | " + " | ".join(cells) + " |"


def stands() -> Iterator[str]:
    """Markdown: the height to choose for a number of players, and how fine the picture then is."""
    yield "| | " + " | ".join(sight.name for sight in CAMERAS) + " |"
    yield "|---|" + "---|" * len(CAMERAS)
    for players, (width, depth) in AREAS_MM.items():
        cells = []
        for sight in CAMERAS:
            height = sight.height_for(width, depth)
            cells.append(f"{height / 10:.0f} cm, {sight.mm_per_px(height):.2f} mm/px")
        yield f"| {players}: {width / 10:.0f} x {depth / 10:.0f} cm | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print("\n".join([*stands(), "", *table()]))
