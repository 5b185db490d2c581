"""Our stand-in for picamera2 may not drift from the real one: compared with its source, which is read, not imported."""

import ast
import sys
from pathlib import Path

import fake_picamera2
import pytest

SOURCE = Path(sys.prefix) / "share" / "picamera2-source" / "picamera2"
REAL = {"Picamera2": SOURCE / "picamera2.py", "CompletedRequest": SOURCE / "request.py"}
FAKE = Path(fake_picamera2.__file__)
ADAPTER = Path(__file__).parents[2] / "hardware" / "picamera.py"

# Attributes the real class sets on itself, and where they may be found in its source.
ATTRIBUTES = {"sensor_resolution", "camera_config"}


def methods(path: Path, name: str) -> dict[str, ast.FunctionDef]:
    """The class's methods; of overloads the last, which is the implementation."""
    found = next(
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and node.name == name
    )
    return {node.name: node for node in found.body if isinstance(node, ast.FunctionDef)}


def parameters(method: ast.FunctionDef) -> list[tuple[str, str | None]]:
    """Name and default of each parameter. An object of libcamera's as default reads as None."""
    names = [argument.arg for argument in method.args.args]
    defaults = [None] * (len(names) - len(method.args.defaults)) + [
        "None" if "libcamera" in ast.unparse(default) else ast.unparse(default)
        for default in method.args.defaults
    ]
    return list(zip(names, defaults, strict=True))


def kind(method: ast.FunctionDef) -> set[str]:
    """Whether it is a property, a static method, a context manager."""
    return {ast.unparse(decorator).rpartition(".")[2] for decorator in method.decorator_list} - {"overload"}


PAIRS = [(name, method) for name, path in REAL.items() for method in methods(FAKE, name)]


@pytest.mark.parametrize(("name", "method"), PAIRS)
def test_every_method_of_the_stand_in_has_the_real_ones_parameters(name: str, method: str) -> None:
    real, fake = methods(REAL[name], name), methods(FAKE, name)
    assert method in real, f"picamera2 has no {name}.{method}"
    assert parameters(fake[method]) == parameters(real[method])
    assert kind(fake[method]) == kind(real[method])


def test_the_adapter_uses_nothing_that_the_stand_in_does_not_have() -> None:
    """Every attribute that hardware/picamera.py asks of a device or a request is one the stand-in is checked for."""
    asked = {
        node.attr
        for node in ast.walk(ast.parse(ADAPTER.read_text()))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node.value) in ("device", "self._device", "request")
    }
    known = {method for _, method in PAIRS} | ATTRIBUTES
    assert asked <= known, f"not compared with the real picamera2: {asked - known}"
    assert {"captured_request", "set_controls", "make_array", "autofocus_cycle"} <= asked


def test_the_attributes_we_read_are_set_by_the_real_class() -> None:
    text = REAL["Picamera2"].read_text()
    for attribute in ATTRIBUTES:
        assert f"self.{attribute} = " in text


def test_the_behaviours_the_stand_in_copies_are_in_the_real_source() -> None:
    controls = (SOURCE / "controls.py").read_text()
    assert "is not advertised by libcamera" in controls
    real = REAL["Picamera2"].read_text()
    assert "No camera number" in real
    assert "Camera __init__ sequence did not complete." in real
    assert "width and height should be even" in real
    assert 'mode_lookup = {"RGB888": "BGR"' in REAL["CompletedRequest"].read_text()
