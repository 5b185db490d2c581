"""The plots of how cost grows, as SVG for the documents."""

from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.ticker import MaxNLocator

from companion.bench.growth import Series, Stages, grow


def draw_plots(folder: Path, progress: Callable[[str], None]) -> list[Path]:
    """Measures and draws every plot into `folder`; returns what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    # No date and no random ids in the files, so that only a change of the figures changes them.
    pyplot.rcParams.update({"svg.hashsalt": "otys", "font.size": 9, "svg.fonttype": "none"})
    by_plot: dict[str, list[Series]] = {}
    written = []
    for measured in grow(progress):
        if isinstance(measured, Stages):
            written.append(_draw_stages(folder / f"{measured.plot}.svg", measured))
        else:
            by_plot.setdefault(measured.plot, []).append(measured)
    return [*written, *(_draw(folder / f"{plot}.svg", lines) for plot, lines in by_plot.items())]


def _draw_stages(path: Path, stages: Stages) -> Path:
    """Two bars: what a press spends, stage after stage, and what its pixels need."""
    figure, axes = pyplot.subplots(figsize=(6.2, 1.9), layout="constrained")
    colours: dict[str, str] = {}
    for row, parts in enumerate((stages.needed, stages.spent)):
        left = 0.0
        for name, ms in parts:
            # One stage has one colour, in both bars, and is named once.
            label = None if name in colours else f"{name}, {ms:.0f} ms"
            colour = colours.setdefault(name, f"C{len(colours)}")
            axes.barh(row, ms, left=left, color=colour, edgecolor="white", label=label)
            left += ms
    axes.set_yticks((0, 1), ("its pixels need", "a press takes"))
    axes.set_xlabel("ms, four players, 12 megapixels")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def _draw(path: Path, lines: list[Series]) -> Path:
    figure, axes = pyplot.subplots(figsize=(4.2, 2.6), layout="constrained")
    for line in lines:
        axes.plot(*zip(*line.points, strict=True), marker="o", label=line.name)
    axes.set_xlabel(lines[0].x_label)
    axes.set_ylabel(lines[0].y_label)
    axes.set_ylim(0, 1.15 * max(y for line in lines for _, y in line.points))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # players, batteries and cubes come whole
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path
