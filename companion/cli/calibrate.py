"""`otys-companion calibrate`: the camera stand and the pack, guided on the touchscreen."""

import click


@click.command()
@click.option(
    "--camera", default="picamera", show_default=True, help="picamera, webcam[:N], folder:DIR or simulated"
)
@click.option("--pack", help="A pack to check, or the name of a new one; the one of the settings by default.")
@click.option("--windowed", is_flag=True, help="An 800 × 480 window instead of the whole screen.")
def calibrate(camera: str, pack: str | None, windowed: bool) -> None:
    """Teach the companion your copy of the game; a pack that was taught is only checked."""
    from companion.launch import calibrate_table

    calibrate_table(camera, pack, windowed, lambda said: click.echo(said, err=True))
