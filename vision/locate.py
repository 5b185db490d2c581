"""Finds every board by its own printed picture."""

from vision.fix import Fix, Located

__all__ = ["Fix", "Located"]
