"""`otys-companion demo`: a whole game on the simulated table."""

import os
from pathlib import Path

import click


@click.command()
@click.option("--headless", is_flag=True, help="No window: a line for each turn, screenshots in --out.")
@click.option(
    "--turns", type=click.IntRange(min=1), help="Stop after so many turns; the whole game by default."
)
@click.option(
    "--speed", type=click.FloatRange(0.5, 20.0), default=1.5, show_default=True, help="How fast hands move."
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("out"), show_default=True
)
def demo(headless: bool, turns: int | None, speed: float, out: Path) -> None:
    """Plays a whole game by itself: two mistakes that are caught, and a question where two turns explain the boards.

    Without a screen it runs headless by itself.
    """
    from companion.demo import demo_headless, demo_on_screen

    def say(said: str) -> None:
        click.echo(said, err=True)

    if not headless and not _has_screen():
        say("No screen here, so the demo is drawn offscreen; see the pictures it writes.")
        headless = True
    if headless:
        demo_headless(out, turns, say, click.echo)
    else:
        demo_on_screen(turns, speed, say)


def _has_screen() -> bool:
    """A desktop session, or a connected panel on the console."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return any(
        path.read_text().strip() == "connected" for path in Path("/sys/class/drm").glob("card*-*/status")
    )
