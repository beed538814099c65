"""Days that a source tells by the day before them."""

import pytest

from highlighter.grounding.following_days import find_following_days
from highlighter.grounding.wording import parse_wording

SHIP = "The ship arrived on 29 June and tendered notice the following day."


@pytest.mark.parametrize(
    ("claim", "source", "is_said"),
    [
        ("Notice was tendered on 30 June.", SHIP, True),
        ("Notice was tendered on 29 June.", SHIP, False),
        ("Notice was tendered on 28 June.", SHIP, False),
        ("Notice was tendered on 30 June.", "The ship arrived on 29 June.", False),
        ("Das Schiff fuhr am 4. Mai ab.", "Das Schiff kam am 3. Mai an und fuhr am folgenden Tag ab.", True),
        ("Le navire est reparti le 4 mai.", "Arrivé le 3 mai, le navire est reparti le lendemain.", True),
        ("船は5月4日に出た。", "船は5月3日に着き、翌日に出た。", True),
    ],
)
def test_following_day_is_the_day_after_a_date(claim, source, is_said):
    assert bool(find_following_days(parse_wording(claim), [parse_wording(source)])) == is_said
