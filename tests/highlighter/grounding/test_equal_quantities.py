"""Quantities in other units: equal ones have a key in common, others have none."""

import re

import pytest

from highlighter.grounding.equal_quantities import EQUAL, have_nearly_equal_keys
from highlighter.grounding.wording import parse_wording


def list_keys(text):
    return {key for key in parse_wording(text).keys if key.startswith(EQUAL) or re.fullmatch(r"m\d+", key)}


@pytest.mark.parametrize(
    "texts",
    [
        ("two weeks", "fourteen days", "14天", "两周", "336 hours"),
        ("two years", "24 months", "二十四个月", "zwei Jahre"),
        ("60 per cent", "three fifths", "六成", "百分之六十", "600‰"),
        ("in May and September", "五月及九月", "5月至9月"),
        ("90 minutes", "1.5 hours", "一点五小时"),
        ("60 mm", "6 cm", "0.06 metres", "6厘米", "60 Millimeter", "6 centimètres", "6 сантиметров", "6 см"),
        ("6 mg", "6,000 micrograms", "6000 µg", "6000 μg", "6000 mcg", "0,006 g", "6 Milligramm", "6毫克"),
        ("1,500 m", "1.5 km", "1,5 chilometri", "1.5公里", "1500米", "1,5 Kilometer"),
        ("7,500 kg", "7.5 tonnes", "7,5 t", "7,5 toneladas", "7.5吨"),
        ("500 g", "half a kilogram", "ein halbes Kilo", "medio kilo", "半公斤", "0.5kg"),
        ("0.5 l", "500 ml", "50 cl", "ein halber Liter", "un demi-litre", "500 cm³", "半升"),
        ("1.6 MN", "1,600 kN", "1.6 meganewtons", "1,6 Meganewton"),
        ("2 MW", "2,000 kW", "2000 kW", "2兆瓦", "2 megawatts"),
        ("3.2 hectares", "32,000 square metres", "32000平方米", "0,032 km²"),
        ("180 ms", "0.18 seconds", "0,18 Sekunden"),
        (
            "half an hour",
            "30 minutes",
            "30 min",
            "eine halbe Stunde",
            "une demi-heure",
            "media hora",
            "mezz'ora",
            "半小时",
        ),
        ("0.5 GB", "500 MB"),
        ("3 bar", "300 kPa", "0.3 MPa"),
    ],
)
def test_equal_quantities_have_the_same_keys(texts):
    first, *others = map(list_keys, texts)
    assert first
    assert all(keys == first for keys in others)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("one month", "30 days"),
        ("ten working days", "ten days"),
        ("10个工作日", "10天"),
        ("five months", "in May"),
        ("60 pounds", "60 per cent"),
        ("60 mm", "60 cm"),
        ("6 mg", "600 micrograms"),
        ("5 MW", "5 mW"),
        ("90 days", "three months"),
        ("5 tons", "5 tonnes"),
        ("5 km", "5 km/h"),
        ("5 m", "5 m²"),
        ("10 miles", "16 km"),
        ("£5 m", "5 m"),
        ("the under-18s", "18 seconds"),
        ("五个月", "五月"),
    ],
)
def test_other_quantities_have_no_key_in_common(text, other):
    assert not list_keys(text) & list_keys(other)


@pytest.mark.parametrize(
    ("text", "other", "is_near"),
    [
        ("90 days", "three months", True),
        ("10 miles", "16 km", True),
        ("68 °F", "20 °C", True),
        ("5 tons", "5,000 kg", True),
        ("30 days", "three months", False),
        ("20 miles", "16 km", False),
        ("60 mm", "6.1 cm", False),
        ("16 km", "16 kg", False),
    ],
)
def test_units_without_exact_conversion_are_compared_roughly(text, other, is_near):
    assert have_nearly_equal_keys(parse_wording(text).keys, parse_wording(other).keys) == is_near
