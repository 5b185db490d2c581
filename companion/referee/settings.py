"""The referee's numbers, each with its reason. Costs are in nats: a cost of 3 means 20 times less likely."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RefereeSettings:
    # How often a slot that looks perfectly clear is misread all the same. It bounds what one slot can say.
    misread_p: float = 1e-5
    # One look in a hundred is poor (glare, a shadow, a board half a slot off), and then one slot in twenty is misread.
    # So one slot that cannot be as it looks costs about as much as two slips, and each further one less than a slip.
    poor_look_cost: float = 4.6
    poor_misread_p: float = 0.05
    # A slot that clearly speaks against a turn (by `doubt_cost`) costs at least this much in a poor look as well, however sure
    # vision is of it: what is cheaper than both need not be held against a poor look.
    misread_least_cost: float = 2.0
    # A slot that is misread shows one of about five other things: just what another turn would leave there, so often.
    poor_misread_as_p: float = 0.01
    # Vision is more careful than it need be: of the slots it is 98 % sure of far fewer than 2 % are wrong in a good look.
    # Once a slip is thought of, what a slot says beyond the cost of one counts this many times.
    sharpness: float = 5.0
    # But only where it is sure at all: of the cubes it is less sure of, one in twenty is another.
    sure_p: float = 0.95
    # A slot of which nothing is likelier than not can hardly be made out: it never says more than a slip costs.
    made_out_p: float = 0.5
    # A cube of the very colour of the print it lies on may not be seen at all, however clear the rest of its area: of the
    # cubes just laid down about one in two hundred. So a turn that lays down one more than is seen is this much less likely;
    # with `decline_cost` that makes it a question whether an expert's cube was left out or not seen.
    missed_cube_cost: float = 4.0
    # A cube more than the likeliest turn leaves is asked about when it is this much likelier than none: two to one or so. At
    # even odds it is a shadow as often as not, and a question each time would be one too many.
    left_over_cost: float = 0.4
    # Where nothing was touched and the camera was sure at the last turn, what looks up to this much less likely than what belongs
    # there, the rarity of the slip included, is asked about: one to three or so. Few such doubts come up without a cause.
    stirred_cost: float = 1.3
    # A slip that is not this much behind a turn some slot speaks against is asked about: the slot may be misread or may not. Where
    # nothing speaks against the turn, `clear_cost` says so, as between two turns.
    tie_cost: float = 1.0
    # A piece just drawn is written down when it is this many times likelier than all others together.
    drawn_odds: float = 9.0

    # Coins may be stacked, held or overlooked: a tray is a witness, and never says more than this. It tells a propeller nobody paid
    # for from neighbours changed over; it does not make a slip, and oxygen paid besides, of a turn that gained a battery.
    tray_cost: float = 6.0

    # What people do. Few refuse or forget what is given away, or leave out an effect; batteries are spent with care.
    decline_cost: float = 2.3
    propel_cost: float = 1.0
    wasted_cost: float = 2.0  # a propeller move that fewer batteries could have done
    oxygen_cost: float = 1.5
    # Pressing by mistake without having played, and playing two turns with one press.
    unchanged_cost: float = 3.0
    two_turns_cost: float = 4.0

    # Of a hundred turns about four have some slip in them: a slot that contradicts every legal turn by more than
    # this is taken for a slip, by less for a doubtful reading.
    fault_cost: float = 3.2
    # A second slip in the same turn that has nothing to do with the first is a coincidence: it has to be made at all,
    # and be of just this kind of about forty, in just this place.
    another_slip_cost: float = 5.0
    # Hands that did something no slip we know of explains: rarer than a poor look, but it spoils several slots at once.
    oddity_cost: float = 7.0
    oddity_slot_cost: float = 1.0
    # A contradiction that calls for looking at faults at all; below it the legal turn stands.
    doubt_cost: float = 2.5

    # Explanations this much behind the best are looked at, and stay in the belief when nobody can see the difference: what
    # people leave out one time in ten is among them.
    window_cost: float = 3.0
    # A question is asked when the best explanation is not this many nats ahead of one that differs in what matters.
    clear_cost: float = 2.0
    # Answers that fit on the screen.
    answers: int = 4
    # Positions kept in the belief, and the weight below which one is forgotten.
    belief_size: int = 6
    belief_p: float = 0.01
    # From a position less likely than this only ordinary turns are looked for, and in a poor look none: two things that
    # hardly ever happen do not come together, and every position that is searched takes as long as the first.
    likely_p: float = 0.3
    # Steps tried before the search gives up and says so; an ordinary turn needs a few hundred.
    search_steps: int = 12_000
    # The same for unusual turns: whoever wasted batteries on purpose had few of them.
    near_steps: int = 4_000
    # ... and fewer still when it ended in a card nobody had shown: what there is of both at once is found in a few hundred.
    near_unseen_steps: int = 1_000
    # Steps tried in all while legal turns are looked for, from every position believed in: what takes more is hardly ever found
    # even so, and is told as well by a question or by hand.
    legal_steps: int = 8_000
    # Steps tried in all once something speaks against every legal turn found, so that there is a verdict in time, and
    # steps each search may try even then.
    doubt_steps: int = 8_000
    least_steps: int = 150
    # Steps for a reading taken for a poor one, and for slips on turns with a card nobody had shown: both are rare,
    # and there is a verdict without them.
    poor_steps: int = 1_500
    unseen_meant_steps: int = 500
    # A legal turn is first looked for this near the least any key could lead to, where nearly all are found; then
    # twice as far, where moves that wasted a battery or refused a gain are.
    ordinary_cost: float = 2.6
    near_cost: float = 6.0
    # When something is wrong: turns that may have been meant, how far apart, how many for each kind of slip.
    meant_window_cost: float = 4.0
    meant_turns: int = 8
    meant_steps: int = 1_500
    # With more of the player's board and the colony out of sight than this, nothing is judged.
    hidden_share: float = 0.4
    # The share of slots in sight that may be misread; with more of them the table is not fit to be judged.
    unexplained_share: float = 0.1
