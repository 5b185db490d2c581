"""`python -m companion.fitting`: fits the cube network to simulated editions and writes its weights."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
import numpy as np

from companion.fitting.lessons import Lesson, lessons
from companion.fitting.network import SETTINGS, Fit, fresh, loss_and_slopes, varied
from vision.read.cubes import weights


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--editions", type=(int, int), default=(600, 640), help="Seeds of the art, first and one past the last."
)
@click.option("--frames", default=4, help="Pictures of each edition.")
@click.option("--passes", default=30, help="How often every area is shown.")
@click.option("--seed", default=1)
@click.option("--go-on", is_flag=True, help="Start from the weights in use instead of from none.")
def fit(out: Path, editions: tuple[int, int], frames: int, passes: int, seed: int, go_on: bool) -> None:
    """Fits to all editions but the last quarter, by which it is judged while it goes on."""
    with ProcessPoolExecutor() as pool:
        drawn = list(pool.map(partial(_drawn, frames=frames), range(*editions)))
    kept_back = len(drawn) // 4
    shown = [one for of in drawn[: len(drawn) - kept_back] for one in of]
    judging = [one for of in drawn[len(drawn) - kept_back :] for one in of]
    rng = np.random.default_rng(seed)
    steps = passes * len(shown) // SETTINGS.batch
    net = dict(weights()) if go_on else fresh(seed)
    running = Fit(net, steps)
    for step in range(steps):
        picks = rng.integers(0, len(shown), SETTINGS.batch)
        loss = running.step([varied(shown[i], rng) for i in picks])
        if step % 200 == 0 or step == steps - 1:
            judged = np.mean([loss_and_slopes(running.net, one)[0] for one in judging]) if judging else np.nan
            click.echo(f"step {step} of {steps}: {loss:.3f} nats an area, {judged:.3f} on editions kept back")
            np.savez(out, **running.net)  # type: ignore[arg-type]  # numpy's stub takes the names for its own options


def _drawn(edition: int, frames: int) -> list[Lesson]:
    return list(lessons(edition, frames))


if __name__ == "__main__":
    fit()
