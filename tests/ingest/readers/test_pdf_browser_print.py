"""What a browser prints around a page is left out only when head and foot both are a browser's."""

import pytest

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, prose, wrapped


def page(head, foot):
    def draw_page(canvas):
        canvas.drawString(40, 815, head)
        for number, line in enumerate(wrapped(prose(1), 80)):
            canvas.drawString(60, 700 - 14 * number, line)
        canvas.drawString(40, 25, foot)

    return draw_page


HEADS = [
    "11/22/26, 7:18 PM Dry stone walls",
    "2026/11/22 19:18 Dry stone walls",
    "22.11.26, 19:18 Dry stone walls",
    "Dry stone walls https://www.example.org/walls.html",  # Firefox
]
FEET = [
    "https://www.example.org/walls.html 1/1",
    "file:///home/reader/walls.html",
    "Page 1 of 1",
    "2 sur 7 22/11/2026, 19:18",
]


@pytest.mark.parametrize(("head", "foot"), list(zip(HEADS, FEET, strict=True)))
def test_head_and_foot_of_a_browser_are_left_out(head, foot, tmp_path):
    text = read(draw(tmp_path / "a.pdf", page(head, foot))).text
    assert head not in text
    assert foot not in text


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("Minutes of 22 November 2026", "https://www.example.org/walls.html 1/1"),
        ("11/22/26, 7:18 PM Dry stone walls", "Signed in three copies"),
        ("See https://www.example.org/walls.html", "1 of 7 walls stand"),
        ("See https://www.example.org/walls.html", "Signed on 22/11/2026, 19:18"),
    ],
)
def test_other_text_at_the_edges_stays(head, foot, tmp_path):
    text = read(draw(tmp_path / "a.pdf", page(head, foot))).text
    assert head in text
    assert foot in text
