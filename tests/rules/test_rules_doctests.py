"""The examples in the docstrings of the rules hold."""

import doctest
import importlib
import pkgutil

import pytest

import companion.rules

MODULES = sorted(module.name for module in pkgutil.iter_modules(companion.rules.__path__, "companion.rules."))


@pytest.mark.parametrize("name", ["companion.rules", *MODULES])
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
