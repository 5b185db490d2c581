"""The printed pieces: diver and sponsor tiles, keys, rewards, technicians, tokens, markers."""

import zlib

import numpy as np
from numpy.typing import NDArray

from hardware.simulated import art_icons, art_people, noise
from hardware.simulated.art_sea import Sea, paint
from hardware.simulated.canvas import Bgr, Canvas, disc, oval, polygon, rounded
from hardware.simulated.layout import CUBE_OF, DIVERS, Layout
from hardware.simulated.palette import Palette, hsv, mix, player_colour

WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)
SPONSOR_NAMES = (
    "SILT",
    "HADAL",
    "LANTERN",
    "AQUIFER",
    "ATOLL",
    "BRINE",
    "CORMORANT",
    "TIDE",
    "MARLIN",
    "ORRERY",
)


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator of its own for each thing drawn, so that one more thing changes no other."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def token_sides(seed: int) -> int:
    """Keys are hexagons in the edition that ships; round or eight-sided in others."""
    return 6 if seed == 0 else int(generator(seed, "token").choice([6, 8, 40]))


def key_outline(seed: int, size_mm: float) -> NDArray[np.float64]:
    sides = token_sides(seed)
    return np.asarray(polygon((size_mm / 2, size_mm / 2), size_mm / 2 - 0.1, sides, 180 / sides))


def diver(seed: int, label: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A wide tile: portrait at one end, the sign of the craft at the other, the name between."""
    name, upgraded = label.removesuffix("+"), label.endswith("+")
    rng = generator(seed, "diver", name)
    width, height = at.diver_mm
    order = DIVERS.index(name)
    suits = {
        "metal": colours.cubes["m"],
        "plant": colours.cubes["p"],
        "fuel": hsv(0.72, 0.35, 0.42),
        "tech": mix(colours.cubes["t"], (180, 160, 150), 0.35),
    }
    suit = suits.get(name, hsv(float(generator(seed, "suits").random()) + order * 0.19, 0.55, 0.72))
    canvas = Canvas(at.diver_mm, ppm)
    sea = Sea(ridges=2, city=0.6, life=0.35, tint=suit, horizon=0.6)
    paint(canvas, sea, colours, rng)
    if upgraded:
        _rays(canvas, (width * 0.5, height * 0.5), colours, rng)
    mirrored = bool(generator(seed, "mirror").random() < 0.4) and seed != 0
    face_x = width - height * 0.66 if mirrored else height * 0.66
    icon_x = height * 0.46 if mirrored else width - height * 0.46
    own = generator(seed, "portrait", name)
    who = art_people.person(own, suit, colours)
    art_people.bust(canvas, (face_x, height * 0.47), height * 0.225, who, colours, int(own.integers(0, 4)))
    canvas.box(
        (icon_x - height * 0.38, height * 0.12, height * 0.76, height * 0.76),
        colours.paper,
        0.94,
        height * 0.14,
    )
    canvas.frame(
        (icon_x - height * 0.38, height * 0.12, height * 0.76, height * 0.76),
        0.5,
        mix(suit, BLACK, 0.3),
        round_mm=height * 0.14,
    )
    if name in CUBE_OF:
        art_icons.cube(canvas, (icon_x, height * 0.5), height * 0.3, colours.cubes[CUBE_OF[name]])
    else:
        art_icons.DIVER_ICONS[name](canvas, (icon_x, height * 0.5), height * 0.29, colours)
    middle = (face_x + icon_x) / 2 + (-1 if mirrored else 1) * height * 0.14
    room = abs(face_x - icon_x) - height * 0.98
    art_people.plate(
        canvas,
        (middle - room / 2, height * 0.62, room, height * 0.24),
        mix(colours.ink, suit, 0.15),
        colours.metal,
    )
    canvas.text(
        name.upper(), (middle, height * 0.74), height * 0.13, colours.paper, colours.pen, fit_mm=room * 0.86
    )
    if upgraded:
        _upgrade_marks(canvas, (middle, height * 0.34), height, colours, name)
    edge = colours.metal if not upgraded else mix(colours.glow, colours.metal, 0.3)
    canvas.frame((0.7, 0.7, width - 1.4, height - 1.4), 1.1, mix(edge, BLACK, 0.45), round_mm=2.0)
    canvas.frame((0.9, 0.9, width - 1.8, height - 1.8), 0.6 if not upgraded else 1.1, edge, round_mm=2.0)
    canvas.cut(rounded((0, 0, width, height), 2.2))
    return canvas


def _rays(canvas: Canvas, at: tuple[float, float], colours: Palette, rng: np.random.Generator) -> None:
    """The upgraded side stands before a rising sun."""
    width, height = canvas.size_mm
    canvas.box((0, 0, width, height), mix(colours.coral, colours.glow, 0.45), 0.55)
    for turn in np.linspace(0, 2 * np.pi, 22, endpoint=False) + float(rng.uniform(0, 0.2)):
        reach = width * 1.2
        canvas.poly(
            [
                at,
                (at[0] + np.cos(turn) * reach, at[1] + np.sin(turn) * reach),
                (at[0] + np.cos(turn + 0.13) * reach, at[1] + np.sin(turn + 0.13) * reach),
            ],
            mix(colours.glow, WHITE, 0.35),
            0.5,
        )
    canvas.circle(at, height * 0.5, mix(colours.glow, WHITE, 0.5), 0.45)


def _upgrade_marks(
    canvas: Canvas, at: tuple[float, float], height: float, colours: Palette, name: str
) -> None:
    x, y = at
    bonus = {"metal": "key", "plant": "coin", "fuel": "battery", "tech": "take"}.get(name)
    radius = height * 0.17
    canvas.circle((x, y), radius * 1.35, mix(colours.ink, colours.coral, 0.25))
    canvas.ring((x, y), radius * 1.35, 0.4, colours.glow)
    if bonus == "coin":
        art_icons.coin(canvas, at, radius, colours)
    elif bonus == "battery":
        art_icons.battery(canvas, at, radius, colours)
    elif bonus in ("key", "take"):
        art_icons.key(canvas, at, radius, colours)
        if bonus == "take":
            canvas.ring(at, radius * 1.05, 0.4, colours.prestige)
    else:
        canvas.text("+", at, radius * 1.5, colours.glow, colours.title_pen)


def sponsor(seed: int, label: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A portrait and a sign in a panel; the advanced side of the same person is gilded and marked II."""
    number, advanced = label.removesuffix("a"), label.endswith("a")
    rng = generator(seed, "sponsor", label)
    names = generator(seed, "names").permutation(len(SPONSOR_NAMES))
    width, height = at.sponsor_mm
    canvas = Canvas(at.sponsor_mm, ppm)
    suit = hsv(0.13 * int(number) + float(generator(seed, "sponsor").random()), 0.5, 0.55)
    tint = mix(colours.glow, colours.coral, 0.4) if advanced else mix(colours.deep, suit, 0.4)
    paint(canvas, Sea(ridges=2, city=1.5, life=0.2, horizon=0.5, tint=tint), colours, rng)
    if advanced:
        canvas.box((0, 0, width, height), tint, 0.35)
    who = art_people.person(generator(seed, "sponsor", number), suit, colours)
    art_people.bust(canvas, (width * 0.29, height * 0.40), height * 0.205, who, colours, None)
    panel = (width * 0.55, height * 0.10, width * 0.38, height * 0.58)
    canvas.box(panel, colours.paper, 0.95, 1.5)
    canvas.frame(panel, 0.45, mix(colours.metal, BLACK, 0.2), round_mm=1.5)
    centre = (panel[0] + panel[2] / 2, panel[1] + panel[3] / 2)
    radius = min(panel[2], panel[3]) * 0.36
    art_icons.SPONSOR_ICONS[label](canvas, centre, radius, colours)
    if label == "4":
        art_icons.coin(canvas, (panel[0] + panel[2] * 0.2, panel[1] + panel[3] * 0.8), radius * 0.36, colours)
    if label == "4a":
        art_icons.wave(canvas, (panel[0] + panel[2] * 0.2, panel[1] + panel[3] * 0.78), radius * 0.4, colours)
    bar = (width * 0.04, height * 0.74, width * 0.92, height * 0.2)
    art_people.plate(canvas, bar, mix(colours.ink, suit, 0.2), colours.metal)
    title = SPONSOR_NAMES[int(names[int(number) - 1])] + (" II" if advanced else "")
    canvas.text(
        title,
        (width / 2, bar[1] + bar[3] / 2),
        height * 0.1,
        colours.paper,
        colours.pen,
        fit_mm=bar[2] * 0.86,
    )
    badge = (width * 0.1, height * 0.14)
    canvas.circle(badge, height * 0.11, (40, 40, 190) if advanced else mix(colours.metal, WHITE, 0.2))
    canvas.ring(badge, height * 0.11, 0.35, colours.ink)
    canvas.text(number, badge, height * 0.12, colours.paper if advanced else colours.ink, colours.title_pen)
    canvas.frame(
        (0.8, 0.8, width - 1.6, height - 1.6),
        1.2,
        colours.metal if not advanced else colours.glow,
        round_mm=1.6,
    )
    canvas.frame((1.6, 1.6, width - 3.2, height - 3.2), 0.3, colours.ink, 0.6, round_mm=1.4)
    canvas.cut(rounded((0, 0, width, height), 1.8))
    return canvas


def key(seed: int, number: str, colour: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A numbered key, or an X key when the number is X; N is the neutral X."""
    size = at.key_mm
    tone = mix(colours.rock, (170, 170, 170), 0.5) if colour == "neutral" else player_colour(colour)
    canvas = _disc_ground(seed, size, mix(tone, BLACK, 0.45), ppm, f"key{number}{colour}")
    outline = key_outline(seed, size)
    centre = np.array([size / 2, size / 2])
    canvas.line((outline - centre) * 0.9 + centre, size * 0.055, mix(tone, WHITE, 0.25), closed=True)
    canvas.circle((size / 2, size / 2), size * 0.34, mix(tone, BLACK, 0.62))
    canvas.ring((size / 2, size / 2), size * 0.34, size * 0.035, mix(colours.metal, WHITE, 0.2))
    canvas.text(
        "X" if number in ("X", "N") else number,
        (size / 2, size / 2),
        size * 0.36,
        mix(tone, WHITE, 0.82),
        colours.title_pen,
    )
    for turn in np.deg2rad(np.arange(0, 360, 45)):
        canvas.circle(
            (size / 2 + np.cos(turn) * size * 0.40, size / 2 + np.sin(turn) * size * 0.40),
            size * 0.016,
            mix(tone, WHITE, 0.5),
        )
    canvas.cut(outline)
    return canvas


def key_back(seed: int, colour: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    size = at.key_mm
    tone = mix(colours.rock, (170, 170, 170), 0.5) if colour == "neutral" else player_colour(colour)
    canvas = _disc_ground(seed, size, mix(tone, BLACK, 0.2), ppm, f"back{colour}")
    outline = key_outline(seed, size)
    centre = np.array([size / 2, size / 2])
    for share in (0.9, 0.76):
        canvas.line((outline - centre) * share + centre, size * 0.03, mix(tone, WHITE, 0.45), closed=True)
    for turn in np.deg2rad(np.arange(0, 360, 30)):
        canvas.line(
            [(size / 2 + np.cos(turn) * size * r, size / 2 + np.sin(turn) * size * r) for r in (0.27, 0.36)],
            size * 0.02,
            mix(tone, WHITE, 0.3),
        )
    art_icons.key(canvas, (size / 2, size / 2), size * 0.24, colours)
    canvas.cut(outline)
    return canvas


def _disc_ground(seed: int, size: float, bgr: Bgr, ppm: float, name: str) -> Canvas:
    canvas = Canvas((size, size), ppm, bgr)
    rng = generator(seed, name)
    field = noise.clouds(rng, canvas.size_px, (5, 5), 4, 0.6)
    canvas.tint((0.8 + 0.45 * field).astype(np.float32))
    return canvas


def reward(seed: int, label: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A round token: orange rim when its back gives credits, green when it gives prestige."""
    front, back = label.split(":")
    size = at.reward_mm
    middle = (size / 2, size / 2)
    rim = colours.credits if back == "credits" else colours.prestige
    canvas = _disc_ground(seed, size, rim, ppm, label)
    _notches(canvas, size, rim)
    canvas.circle(middle, size * 0.375, mix(rim, BLACK, 0.45))
    canvas.circle(middle, size * 0.355, mix(colours.paper, colours.shallow, 0.18))
    if "|" in front:
        first, second = (colours.cubes[CUBE_OF[name]] for name in front.split("|"))
        canvas.line([(size * 0.60, size * 0.26), (size * 0.40, size * 0.74)], size * 0.025, colours.ink)
        art_icons.cube(canvas, (size * 0.35, size * 0.42), size * 0.145, first)
        art_icons.cube(canvas, (size * 0.65, size * 0.58), size * 0.145, second)
    else:
        icon = {
            "battery": art_icons.battery,
            "contracts": art_icons.contracts,
            "upgrade": art_icons.upgrade,
            "prestige": art_icons.prestige,
        }[front]
        icon(canvas, middle, size * 0.25, colours)
    canvas.cut(disc(middle, size / 2 - 0.1))
    return canvas


def permanent(seed: int, label: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """The back of a reward: what every contract completed at its level gives."""
    size = at.reward_mm
    middle = (size / 2, size / 2)
    tone = colours.credits if label == "credits" else colours.prestige
    canvas = _disc_ground(seed, size, tone, ppm, "permanent" + label)
    _notches(canvas, size, tone)
    canvas.circle(middle, size * 0.37, mix(tone, BLACK, 0.25))
    canvas.ring(middle, size * 0.37, size * 0.03, mix(tone, WHITE, 0.6))
    if label == "credits":
        art_icons.coin(canvas, (size * 0.42, size * 0.45), size * 0.19, colours)
        art_icons.coin(canvas, (size * 0.58, size * 0.57), size * 0.19, colours)
    else:
        art_icons.prestige(canvas, middle, size * 0.25, colours)
    canvas.cut(disc(middle, size / 2 - 0.1))
    return canvas


def _notches(canvas: Canvas, size: float, tone: Bgr) -> None:
    middle = (size / 2, size / 2)
    canvas.ring(middle, size * 0.475, size * 0.03, mix(tone, BLACK, 0.45))
    for turn in np.deg2rad(np.arange(0, 360, 20)):
        canvas.line(
            [(size / 2 + np.cos(turn) * size * r, size / 2 + np.sin(turn) * size * r) for r in (0.40, 0.45)],
            size * 0.025,
            mix(tone, WHITE, 0.4),
            0.8,
        )


def technician(seed: int, label: str, colour: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A small tile in its owner's colour; the Hacker lies sideways along its track."""
    size = at.technician_mm if label == "mechanic" else (at.technician_mm[1], at.technician_mm[0])
    width, height = size
    tone = player_colour(colour)
    rng = generator(seed, label, colour)
    canvas = Canvas(size, ppm)
    paint(canvas, Sea(ridges=1, city=0, life=0.3, tint=tone, horizon=0.6), colours, rng)
    canvas.box((0, 0, width, height), mix(tone, colours.abyss, 0.35), 0.62)
    who = art_people.person(generator(seed, label), mix(tone, BLACK, 0.2), colours)
    head = min(width, height) * 0.2
    art_people.bust(canvas, (width * 0.5, height * 0.44), head, who, colours, None)
    sign = (width * 0.8, height * 0.22) if label == "hacker" else (width * 0.78, height * 0.16)
    canvas.circle(sign, min(width, height) * 0.2, colours.ink)
    icon = art_icons.eye if label == "hacker" else art_icons.gear
    icon(canvas, sign, min(width, height) * 0.15, colours)
    canvas.frame((0.6, 0.6, width - 1.2, height - 1.2), 0.9, mix(tone, WHITE, 0.35), round_mm=1.6)
    canvas.cut(rounded((0, 0, width, height), 1.8))
    return canvas


def token(seed: int, label: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    if label == "credit":
        size = at.coin_mm
        canvas = _disc_ground(seed, size, mix(colours.credits, (40, 190, 240), 0.6), ppm, "credit")
        art_icons.coin(canvas, (size / 2, size / 2), size * 0.49, colours)
        canvas.cut(disc((size / 2, size / 2), size / 2 - 0.1))
        return canvas
    width, height = at.battery_mm
    canvas = Canvas(at.battery_mm, ppm, mix(colours.ink, colours.rock, 0.4))
    canvas.box((width * 0.08, height * 0.15, width * 0.78, height * 0.7), (70, 225, 130), round_mm=1.0)
    canvas.box((width * 0.88, height * 0.32, width * 0.09, height * 0.36), (190, 190, 190))
    canvas.box((width * 0.08, height * 0.15, width * 0.78, height * 0.22), WHITE, 0.4, round_mm=1.0)
    bolt = [(-0.26, 0.06), (0.08, -0.3), (0.02, -0.04), (0.28, -0.06), (-0.08, 0.3), (-0.02, 0.04)]
    canvas.poly([(width * 0.47 + dx * width * 0.7, height / 2 + dy * height) for dx, dy in bolt], colours.ink)
    canvas.frame((0.4, 0.4, width - 0.8, height - 0.8), 0.5, (20, 20, 20), round_mm=1.2)
    canvas.cut(rounded((0, 0, width, height), 1.4))
    return canvas


def marker(seed: int, colour: str, at: Layout, ppm: float) -> Canvas:
    """A turned and painted wooden disc."""
    size = at.marker_mm
    tone = player_colour(colour)
    canvas = _disc_ground(seed, size, tone, ppm, "marker" + colour)
    canvas.circle((size / 2, size / 2), size * 0.34, mix(tone, WHITE, 0.14), 0.7)
    canvas.ring((size / 2, size / 2), size * 0.44, size * 0.07, mix(tone, WHITE, 0.3), 0.6)
    canvas.poly(oval((size * 0.38, size * 0.34), (size * 0.16, size * 0.07), -35), WHITE, 0.25)
    canvas.cut(disc((size / 2, size / 2), size / 2 - 0.05))
    return canvas
