"""Writes a pack as a person would make one: pack.toml, cards.json, and four photographs with a list of what lies where."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrange import Placed, Sloppiness
from hardware.simulated.conditions import Conditions, conditions
from hardware.simulated.contents import Content, Contents, bare, label, letters
from hardware.simulated.develop import encode
from hardware.simulated.layout import CUBE_OF, DIVERS, FRONTS, RESOURCES, Layout, piece_sets
from hardware.simulated.pieces import body, piece_name
from hardware.simulated.studio import Studio

JPEG = 92
_SCORES = ((0, 4, 9, 13), (7, 11, 18, 22))  # different cells, the first and one past the trigger among them
_ZONES = (("mp", "ft", "mmp", "pfft", "mpfttt"), ("f", "mmt", "pt", "mff", "mppftt"))


def write_pack(
    studio: Studio, cards: Mapping[str, Any], folder: Path, progress: Callable[[str], None]
) -> None:
    """Fills a folder. The photographs show the studio's own table, camera and edition in plain daylight."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cards.json").write_text(json.dumps(cards, indent=1), encoding="utf-8")
    ids = [card["id"] for card in cards["contracts"]]
    (folder / "pack.toml").write_text(pack_toml(studio.layout, ids), encoding="utf-8")
    before = studio.conditions, studio.held, studio.placed, studio.things
    studio.conditions = _daylight(studio.conditions)
    studio.placed = studio.things = ()
    parts = []
    for name, part, frame in _photographs(studio, ids):
        progress(f"photograph {name}.jpg")
        (folder / f"{name}.jpg").write_bytes(encode(frame, JPEG))
        parts.append(part)
    (folder / "enrol.toml").write_text("\n".join(parts), encoding="utf-8")
    studio.conditions, studio.held, studio.placed, studio.things = before


def _daylight(usual: Conditions) -> Conditions:
    """A careful person enrols by day, with a still camera and nothing in the way; the table is what it is."""
    plain = conditions("easy", np.random.default_rng(29))
    return replace(
        plain,
        table=usual.table,
        vignette=usual.vignette,
        blur_px=min(0.6, usual.blur_px),
        sloppy=Sloppiness(0.6, 1.5, 40),
    )


def _photographs(studio: Studio, ids: Sequence[str]) -> Iterator[tuple[str, str, NDArray[Any]]]:
    studio.lay(bare(studio.layout))
    shot = studio.photograph()
    lines = ["[[photos]]", 'file = "empty.jpg"', "empty = true", "[photos.corners_px]"]
    lines += [f"{board} = {_numbers(points)}" for board, points in shot.truth.boards.items()]
    yield "empty", "\n".join(lines) + "\n", shot.bgr
    for which in (0, 1):
        held = set_up(studio.layout, ids, which)
        studio.lay(held)
        shot = studio.photograph()
        lines = ["[[photos]]", f'file = "setup-{which + 1}.jpg"', "[photos.slots]"]
        lines += [f'"{slot}" = {_value(label(content))}' for slot, content in held.items()]
        yield f"setup-{which + 1}", "\n".join(lines) + "\n", shot.bgr
    yield _loose(studio, ids)


def set_up(at: Layout, ids: Sequence[str], which: int) -> Contents:
    """One of two arrangements that together show every piece, and the markers at different places."""
    held: Contents = {}
    for seat, colour in enumerate(at.colours):
        side = (seat + which) % 2
        column = [name + ("+" if side else "") for name in DIVERS]
        turned = column[5 * which :] + column[: 5 * which]
        held.update({f"{colour}.diver.{i}": diver for i, diver in enumerate(turned, 1)})
        for level in range(1, 6):
            there = which == 0 or (level + seat) % 2 == 1
            held[f"{colour}.key.{level}"] = "key" if there else "empty"
            held[f"{colour}.zone.{level}"] = letters(_ZONES[side][level - 1])
            backs = ("empty", "prestige", "credits") if side == 0 else ("empty", "credits", "prestige")
            held[f"{colour}.reward.{level}"] = backs[(level + which + seat) % 3]
        held[f"{colour}.x"] = {"X": 1, "N": 1} if side == 0 else {"X": 0, "N": 2}
        played = 2 if side == 0 else 5
        for place in range(1, 7):
            back: Content = "back/N" if place == 2 else "back"
            held[f"{colour}.track.{place}"] = back if place <= played else "empty"
        held[f"{colour}.hacker"] = {"hacker": (seat + 2 * which) % 4}
        held[f"{colour}.mechanic"] = {"mechanic": (seat + 2 * which) % 4}
        held[f"{colour}.tray"] = {"credit": 3 + 2 * side, "battery": 1 + 2 * side}
    back = ("credits", "prestige")[which]
    for level in range(1, 6):
        number = (level - 1 + 2 * which) % 5 + 1
        held[f"colony.sponsor.{level}"] = f"{number}{'a' if which else ''}"
        for i in (1, 2):
            held[f"colony.display.{level}.{i}"] = f"{FRONTS[2 * level - 3 + i]}:{back}"
    for name in RESOURCES:
        for row in range(1, 4):
            held[f"colony.store.{name}.{row}"] = CUBE_OF[name] if row == 1 or which else ""
    for space in range(1, 4):
        held[f"colony.contract.{space}"] = ids[3 * which + space - 1]
    held["colony.score"] = {colour: _SCORES[which][seat] for seat, colour in enumerate(at.colours)}
    return {slot.id: held[slot.id] for slot in at.slots}


def _loose(studio: Studio, ids: Sequence[str]) -> tuple[str, str, NDArray[Any]]:
    """All contract cards in rows on the bare table, the boards put away."""
    rng, rig = studio.rng, studio.rig
    width, height = studio.layout.card_mm
    columns = -(-len(ids) // 4)
    step = np.array((width + 11.0, height + 9.0))
    middle_px = np.array(rig.size_px) / 2
    aim = np.linalg.inv(rig.plane(0.0)) @ np.array((*middle_px, 1.0))
    order = rng.permutation(len(ids))
    placed = []
    for i, which in enumerate(order):
        row, column = divmod(i, columns)
        middle = (np.array((column, row)) - ((columns - 1) / 2, 1.5)) * step + rng.uniform(-2.2, 2.2, 2)
        placed.append(
            Placed(
                f"contract:{ids[which]}",
                "",
                "",
                float(aim[0] / aim[2] + middle[0]),
                float(aim[1] / aim[2] + middle[1]),
                float(np.clip(rng.normal(0, 2.5), -5, 5)),
            )
        )
    poses, studio.poses, studio.placed = studio.poses, {}, tuple(placed)
    frame = studio.renderer.render(studio.scene(), rig, studio.conditions, studio.seed).bgr
    studio.poses = poses
    lines = ["[[photos]]", 'file = "cards.jpg"']
    for piece in placed:
        lines += [
            "[[photos.loose]]",
            f'piece = "{piece_name(piece.picture)}"',
            f"corners_px = {_numbers(_corners(studio, piece))}",
        ]
    return "cards", "\n".join(lines) + "\n", frame


def _corners(studio: Studio, piece: Placed) -> NDArray[Any]:
    shape = body(piece.picture, studio.layout)
    width, height = shape.size_mm
    turn = np.deg2rad(piece.turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    return studio.rig.seen(half @ spin + (piece.x_mm, piece.y_mm), piece.base_mm + shape.thick_mm)


def pack_toml(at: Layout, ids: Sequence[str]) -> str:
    """The pack.toml of an edition."""
    name = "Otys sample" if at.seed == 0 else f"Otys sample, edition {at.seed}"
    lines = ["version = 1", f'name = "{name}"', 'game = "otys"', ""]
    for board in at.boards:
        width, height = at.size_mm(board)
        lines += [f"[boards.{board}]", f"size_mm = [{width:g}, {height:g}]"]
    lines += ["", "[pieces]"]
    lines += [f"{name} = {json.dumps(list(labels))}" for name, labels in piece_sets(at.colours, ids).items()]
    for slot in at.slots:
        lines += [
            "",
            "[[slots]]",
            f'id = "{slot.id}"',
            f'board = "{slot.board}"',
            f'kind = "{slot.kind}"',
            f'pieces = "{slot.pieces}"',
        ]
        if slot.capacity:
            lines.append(f"capacity = {slot.capacity}")
        if slot.kind == "track":
            lines += [f"size_mm = {_list(slot.size_mm)}", f"places_mm = {_numbers(np.array(slot.places_mm))}"]
        else:
            lines.append(f"rect_mm = {_list(slot.rect_mm)}")
    return "\n".join(lines) + "\n"


def _list(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{round(float(v), 2):g}" for v in values) + "]"


def _numbers(points: NDArray[Any]) -> str:
    return "[" + ", ".join(_list(point) for point in points.round(2)) + "]"


def _value(content: Content) -> str:
    if isinstance(content, str):
        return json.dumps(content)
    return "{ " + ", ".join(f"{name} = {count}" for name, count in content.items()) + " }"
