"""One measured figure: what, how much, over how many, how sure, and against which limit."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """`limit` is what it must reach; `sense` says on which side of it is good."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    sense: Literal["at most", "at least"] = "at most"
    count: int = 1
    low: float | None = None  # 95 % interval
    high: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool | None:
        if self.limit is None:
            return None
        return self.value <= self.limit if self.sense == "at most" else self.value >= self.limit

    @property
    def ratio(self) -> float | None:
        """The value in units of its limit; None where there is none or where it is 0."""
        return self.value / self.limit if self.limit else None


def rate(
    name: str,
    hits: int,
    count: int,
    limit: float | None,
    sense: Literal["at most", "at least"],
    note: str = "",
) -> Figure:
    """A share in percent with its Wilson interval, which stays honest at 0 and at 100 %."""
    low, high = wilson(hits, count)
    value = 100 * hits / count if count else float("nan")
    return Figure(name, value, "%", limit, sense, count, 100 * low, 100 * high, note)


def wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(x, 3) for x in wilson(0, 1000)]
    [0.0, 0.004]
    """
    if count == 0:
        return 0.0, 1.0
    p = hits / count
    middle = p + z * z / (2 * count)
    spread = z * sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    # Both ends are exact where nothing or everything was hit; rounding would leave a speck.
    low = (middle - spread) / scale if hits else 0.0
    high = (middle + spread) / scale if hits < count else 1.0
    return low, high
