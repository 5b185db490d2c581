"""The tables and the wiring picture of the documents are those of the program."""

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from math import atan, degrees, isclose, radians, tan
from pathlib import Path

import pytest

from hardware.optics import AREAS_MM, CAMERAS, COARSEST_MM, stands, table
from hardware.pins import DEFAULTS, load_pins
from hardware.wiring import HEADER_PIN, draw, parts_of

DOCS = Path(__file__).parents[2] / "docs"
WIDE = CAMERAS[1]
MODULE_3 = CAMERAS[0]


def test_the_tables_of_the_document_are_the_computed_ones() -> None:
    text = (DOCS / "hardware.md").read_text()
    assert "\n".join(table()) in text
    assert "\n".join(stands()) in text


def test_the_formula_of_the_document_gives_its_figures() -> None:
    """Camera Module 3 at 90 cm sees 2 x 90 cm x tan(33 degrees), shared by 4608 pixels; its depth is a little coarser."""
    text = (DOCS / "hardware.md").read_text()
    assert "width = 2 · height · tan(a / 2)" in text
    width_cm, depth_cm = (2 * 90 * tan(radians(angle / 2)) for angle in (66, 41))
    coarser_mm = 10 * max(width_cm / 4608, depth_cm / 2592)
    assert f"| 90 cm | {width_cm:.0f} x {depth_cm:.0f} cm, {coarser_mm:.2f} mm/px |" in text


def test_the_price_levels_are_the_sums_of_their_estimates() -> None:
    """From the cheaper choice of every row to the dearer one, to the nearest five euros."""
    rows = [line.split("|")[2:4] for line in (DOCS / "hardware.md").read_text().splitlines() if "|" in line]
    title = next(row for row in rows if "€" in row[0])
    for column in (0, 1):
        ranges = [re.findall(r"\((\d+)–(\d+)\)", row[column]) for row in rows if len(row) == 2]
        low = sum(int(found[0][0]) for found in ranges if found)
        high = sum(int(found[-1][1]) for found in ranges if found)
        assert f"about {5 * round(low / 5)} to {5 * round(high / 5)} €" in title[column]


def test_every_camera_is_named_with_its_angles() -> None:
    text = (DOCS / "hardware.md").read_text()
    for sight in (MODULE_3, WIDE, CAMERAS[3]):
        assert f"{sight.across_deg:.0f}° x {sight.up_deg:.0f}°" in text
    six_mm = CAMERAS[2]
    assert isclose(six_mm.across_deg, 2 * degrees(atan(6.287 / 12)), abs_tol=0.05)
    assert isclose(six_mm.up_deg, 2 * degrees(atan(4.712 / 12)), abs_tol=0.1)


def test_the_list_of_arm64_packages_is_that_of_the_pinned_ones() -> None:
    spec = importlib.util.spec_from_file_location("check_arm64", DOCS.parent / "deploy" / "check_arm64.py")
    assert spec is not None and spec.loader is not None
    arm64 = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(arm64)
    rows = [line.strip("| ").split(" | ") for line in (DOCS / "installation.md").read_text().splitlines()]
    documented = {row[0]: [cell.split(",")[0] for cell in row[1:]] for row in rows if len(row) == 3}
    for column, (python, path) in enumerate(arm64.LISTS.items()):
        for requirement in arm64.pinned(path, python):
            name, _, version = requirement.split(" ")[0].partition("==")
            assert documented[name][column] == version, (
                f"{name} for Python {python}: run check_arm64.py again"
            )


def test_a_field_of_90_degrees_is_twice_as_wide_as_the_lens_is_high() -> None:
    square = replace(MODULE_3, across_deg=90.0, up_deg=90.0, width_px=1000, height_px=1000)
    width, depth = square.field_mm(500)
    assert isclose(width, 1000)
    assert isclose(depth, 1000)
    assert isclose(square.mm_per_px(500), 1.0)
    assert isclose(square.height_for(1000, 200), 500)


@pytest.mark.parametrize("area", AREAS_MM.values())
def test_every_camera_is_fine_enough_at_the_height_the_document_gives(area: tuple[float, float]) -> None:
    for sight in CAMERAS:
        height = sight.height_for(*area)
        width, depth = sight.field_mm(height)
        assert width >= area[0] - 1e-6
        assert depth >= area[1] - 1e-6
        assert sight.mm_per_px(height) <= COARSEST_MM


def test_the_wide_module_stands_lower() -> None:
    assert WIDE.height_for(1100, 500) < 0.6 * MODULE_3.height_for(1100, 500)


def test_the_picture_in_the_documents_shows_the_default_pins() -> None:
    assert (DOCS / "wiring.svg").read_text() == draw(DEFAULTS)


def test_the_picture_names_every_part_with_its_pin() -> None:
    drawing = ElementTree.fromstring(draw(DEFAULTS))
    texts = {"".join(node.itertext()) for node in drawing.iter() if node.tag.endswith("text")}
    for gpio in DEFAULTS.used():
        assert f"GPIO {gpio}" in texts
        assert str(HEADER_PIN[gpio]) in texts
    assert {"button 4", "lamp 1 · 330 Ω", "undo (hold 2 s)", "piezo buzzer"} <= texts
    assert {"5 V: leave free", "3.3 V: leave free", "this end is at the USB sockets"} <= texts


def test_the_header_has_28_pins_for_us_each_once() -> None:
    assert sorted(HEADER_PIN) == list(range(28))
    assert len(set(HEADER_PIN.values())) == 28


def test_other_pins_give_another_picture() -> None:
    pins = replace(DEFAULTS, buttons=(17, 27), lamps=(22, 23), buzzer=None)
    assert [part.label for part in parts_of(pins)].count("piezo buzzer") == 0
    text = draw(pins)
    assert "button 3" not in text
    assert "GPIO 27" in text
    ElementTree.fromstring(text)


def test_the_settings_file_in_the_document_is_the_default(tmp_path: Path) -> None:
    text = (DOCS / "hardware.md").read_text()
    block = text.split("```toml\n")[1].split("```")[0]
    (tmp_path / "pins.toml").write_text(block)
    assert load_pins(tmp_path / "pins.toml") == DEFAULTS
