"""What the times of a look are taken on."""

from companion.bench.looks import Looks


def test_a_look_that_takes_as_long_as_warping_costs_what_it_must() -> None:
    looks = Looks(first=400.0, next=20.0, relit=140.0, decode=100.0, warp=20.0)
    assert looks.ratio(looks.next) == 1.0
    assert looks.ratio(looks.relit) == 2.0
