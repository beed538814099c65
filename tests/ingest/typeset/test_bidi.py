"""Lines as PDFium returns them, put into reading order."""

from __future__ import annotations

import pytest

from ingest.typeset.bidi import to_reading_order


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("abc (def) 12", "abc (def) 12"),
        ("אבג", "אבג"),
        (".דהוז En אבג", "אבג En דהוז."),
        ("אבג 2025 דהו", "אבג 2025 דהו"),
        ("Latin with אבג in it", "Latin with אבג in it"),
        ("", ""),
    ],
)
def test_runs_of_a_right_to_left_line_are_in_reading_order(given, read):
    line = list(enumerate(given))
    assert "".join(char for _, char in to_reading_order(line)) == read
    assert sorted(to_reading_order(line)) == line
