"""`otys-companion play`: the touchscreen."""

import click

from hardware.controls import SPELLINGS as BUTTONS


@click.command()
@click.option(
    "--camera", default="picamera", show_default=True, help="picamera, webcam[:N], folder:DIR or simulated"
)
@click.option("--buttons", default="keyboard", show_default=True, type=click.Choice(BUTTONS))
@click.option("--pack", help="Name or folder of a pack; the one of the settings by default.")
@click.option("--windowed", is_flag=True, help="An 800 × 480 window instead of the whole screen.")
def play(camera: str, buttons: str, pack: str | None, windowed: bool) -> None:
    """The touchscreen: set up a game and play it."""
    from companion.launch import play_evening

    play_evening(camera, buttons, pack, windowed, lambda said: click.echo(said, err=True))
