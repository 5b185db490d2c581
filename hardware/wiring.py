"""Draws the wiring from the pin settings, so that the picture and the program cannot disagree.

python -m hardware.wiring > docs/wiring.svg
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from hardware.pins import DEFAULTS, Pins, load_pins

Kind = Literal["button", "lamp", "buzzer"]

# Broadcom number -> pin of the 40-pin header.
HEADER_PIN = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
GROUND_USED = 39  # one wire serves everything
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}  # a wire here by mistake can destroy the Pi

SEAT_COLOURS = ("#c0392b", "#2471a3", "#b7950b", "#1e8449")
OTHER_COLOUR = "#566573"
GROUND_COLOUR = "#1c2833"
POWER_COLOUR = "#f5b7b1"

PITCH = 26  # between header pins
TOP = 124
LEFT_COLUMN, RIGHT_COLUMN = 486, 514
PART_STEP = 74
LANE_STEP = 9
WIDTH = 1000
NOTE = "A button connects its pin to ground and needs no resistor. A lamp: pin, 330 Ω, LED (long leg first), ground."


@dataclass(frozen=True)
class Part:
    """One thing to solder: where its wire starts and where it is drawn."""

    kind: Kind
    label: str
    gpio: int
    colour: str

    @property
    def pin(self) -> int:
        return HEADER_PIN[self.gpio]

    @property
    def side(self) -> Literal["left", "right"]:
        return "left" if self.pin % 2 else "right"


def parts_of(pins: Pins) -> list[Part]:
    """Everything on the pins, in the order of the header."""
    parts = [
        Part("button", f"button {seat}", gpio, SEAT_COLOURS[seat - 1])
        for seat, gpio in enumerate(pins.buttons, start=1)
    ]
    parts += [
        Part("lamp", f"lamp {seat}", gpio, SEAT_COLOURS[seat - 1])
        for seat, gpio in enumerate(pins.lamps, start=1)
    ]
    parts += [
        Part("button", f"undo (hold {pins.hold_s:g} s)", pins.undo, OTHER_COLOUR),
        Part("lamp", "attention", pins.attention, OTHER_COLOUR),
    ]
    if pins.buzzer is not None:
        parts.append(Part("buzzer", "piezo buzzer", pins.buzzer, OTHER_COLOUR))
    return sorted(parts, key=lambda part: part.pin)


def draw(pins: Pins) -> str:
    """The whole picture as SVG."""
    parts = parts_of(pins)
    sides = {side: [part for part in parts if part.side == side] for side in ("left", "right")}
    height = max(TOP + 20 * PITCH + 70, TOP + PART_STEP * max(map(len, sides.values())) + 110)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fdfefe"/>',
        '<text x="24" y="36" font-size="20" font-weight="bold">Wiring of the Otys companion</text>',
        f'<text x="24" y="58" fill="#566573">{NOTE}</text>',
    ]
    for side, here in sides.items():
        lines += _side(here, side == "left", height - 36)
    lines += [*_header(parts), "</svg>"]
    return "\n".join(lines) + "\n"


def _header(parts: Sequence[Part]) -> Iterator[str]:
    used = {part.pin: part for part in parts}
    size = f'width="72" height="{20 * PITCH + 18}"'
    yield f'<rect x="{LEFT_COLUMN - 22}" y="{TOP - 22}" {size} rx="8" fill="#d5f5e3" stroke="#1e8449"/>'
    top = "Raspberry Pi: this end is at the memory card"
    yield f'<text x="500" y="{TOP - 30}" text-anchor="middle" fill="#1e8449">{top}</text>'
    low = TOP + 20 * PITCH + 14
    yield f'<text x="{RIGHT_COLUMN}" y="{low}" fill="#1e8449">this end is at the USB sockets</text>'
    for pin in range(1, 41):
        x, y = _pin_xy(pin)
        part = used.get(pin)
        text, fill, ink = _pin_look(pin, part)
        yield f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}" stroke="#7b7d7d"/>'
        yield f'<text x="{x}" y="{y + 3.5}" font-size="9" text-anchor="middle" fill="{ink}">{pin}</text>'
        if text:
            beside, anchor = (x - 30, "end") if pin % 2 else (x + 30, "start")
            place = f'x="{beside}" y="{y - 4}" font-size="10" text-anchor="{anchor}"'
            yield f'<text {place} fill="{fill if part else GROUND_COLOUR}">{text}</text>'


def _pin_look(pin: int, part: Part | None) -> tuple[str, str, str]:
    """What is written beside a pin, its colour and that of its number."""
    if part is not None:
        return f"GPIO {part.gpio}", part.colour, "#ffffff"
    if pin == GROUND_USED:
        return "ground", GROUND_COLOUR, "#ffffff"
    if pin in POWER:
        return f"{POWER[pin]}: leave free", POWER_COLOUR, GROUND_COLOUR
    return "", "#ffffff", "#7b7d7d"


def _side(parts: Sequence[Part], left: bool, low: float) -> Iterator[str]:
    """The parts of one side, their wires in lanes that never cross, and the shared ground."""
    middle = TOP + 10 * PITCH
    first = middle - PART_STEP * len(parts) / 2 + 10
    part_x = 150 if left else WIDTH - 150
    rail_x = 40 if left else WIDTH - 40
    for number, part in enumerate(parts):
        x, y = _pin_xy(part.pin)
        part_y = first + number * PART_STEP
        # A wire that climbs must turn farther from the header than the one above it, one that falls nearer.
        order = len(parts) - 1 - number if part_y < y else number
        lane = 290 + order * LANE_STEP if left else WIDTH - 290 - order * LANE_STEP
        inner = part_x + 44 if left else part_x - 44
        path = f"M{x} {y} H{lane} V{part_y} H{inner}"
        yield f'<path d="{path}" fill="none" stroke="{part.colour}" stroke-width="2.5"/>'
        outer = part_x - 44 if left else part_x + 44
        yield f'<path d="M{outer} {part_y} H{rail_x}" fill="none" stroke="{GROUND_COLOUR}" stroke-width="2"/>'
        yield from _part(part, part_x, part_y)
    if parts:
        x, y = _pin_xy(GROUND_USED)
        path = f"M{rail_x} {first} V{low} H{x} V{y}"
        yield f'<path d="{path}" fill="none" stroke="{GROUND_COLOUR}" stroke-width="2.5"/>'
        if left:
            yield f'<text x="{rail_x + 8}" y="{low - 8}">ground, pin {GROUND_USED}</text>'


def _part(part: Part, x: float, y: float) -> Iterator[str]:
    yield f'<g transform="translate({x} {y})" stroke="{part.colour}" stroke-width="2" fill="none">'
    match part.kind:
        case "button":
            yield '<path d="M-44 0 H-14 M14 0 H44 M-14 -14 H14 M0 -14 V-22"/>'
            yield f'<circle cx="-14" cy="0" r="4" fill="{part.colour}"/><circle cx="14" cy="0" r="4" fill="{part.colour}"/>'
        case "lamp":
            # Seen from the header: resistor first, then the LED pointing to ground.
            turn = "" if part.side == "left" else ' transform="scale(-1 1)"'
            yield f"<g{turn}>"
            yield '<path d="M44 0 H36"/><rect x="8" y="-7" width="28" height="14" fill="#fdfefe"/><path d="M8 0 H-6"/>'
            yield f'<path d="M-6 -11 V11 L-26 0 Z" fill="{part.colour}"/><path d="M-26 -11 V11 M-26 0 H-44"/>'
            yield '<path d="M-10 -16 l-7 -8 M-18 -14 l-7 -8" stroke-width="1.5"/></g>'
        case "buzzer":
            yield '<path d="M-44 0 H-18 M18 0 H44"/><circle r="18" fill="#fdfefe"/><circle r="4"/>'
    yield "</g>"
    label = escape(part.label) + (" · 330 Ω" if part.kind == "lamp" else "")
    yield f'<text x="{x}" y="{y + 32}" text-anchor="middle" fill="{part.colour}">{label}</text>'


def _pin_xy(pin: int) -> tuple[int, int]:
    return (LEFT_COLUMN if pin % 2 else RIGHT_COLUMN), TOP + (pin - 1) // 2 * PITCH


if __name__ == "__main__":
    import sys

    print(draw(load_pins() if "--mine" in sys.argv else DEFAULTS), end="")
