"""Numbers that a claim says to be rounded are those of the source, and no other number is."""

import pytest

from highlighter.grounding.rounded_numbers import find_rounded_numbers
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("claim", "source", "is_found"),
    [
        ("Revenue was about EUR 1.48 billion.", "Revenue was EUR 1,476.8 million.", True),
        ("Der Umsatz betrug rund 1,5 Mrd. Euro.", "Der Umsatz betrug 1.476,8 Mio. Euro.", True),
        ("Il mesure environ 30 mètres.", "Il mesure 29,6 mètres.", True),
        ("Mide unos 30 metros.", "Mide 29,6 metros.", True),
        ("Misura circa 1,5 km.", "Misura 1480 m.", True),
        ("步道长约1.5公里。", "步道长1480米。", True),
        ("About 300 people came.", "312 people came.", True),
        ("Revenue was EUR 1.48 billion.", "Revenue was EUR 1,476.8 million.", False),  # nobody says that it is rounded
        ("Revenue was about EUR 1.48 billion.", "Revenue was EUR 1,376.8 million.", False),
        ("Revenue was about EUR 1.48 million.", "Revenue was EUR 1,476.8 million.", False),
        ("Revenue was about USD 1.48 billion.", "Revenue was EUR 1,476.8 million.", False),
        ("About 300 people came.", "345 people came.", False),
        ("About 300 people came.", "312 dogs came.", False),
        ("步道长约1.5公里。", "步道长1.5米。", False),
    ],
)
def test_rounded_numbers_are_found(claim, source, is_found):
    assert bool(list(find_rounded_numbers(parse_wording(claim), parse_wording(source)))) == is_found
