"""The figure of a caption is the picture or drawing nearest to it on its page; each belongs to one caption."""

from __future__ import annotations

import pytest

from highlighter.models import Rectangle
from highlighter.pages.captioned_figures import assign_figures
from highlighter.pages.figure_boxes import FigureBoxes, load_figure_boxes, read_figure_boxes
from highlighter.pages.page_characters import UPWARD, read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from tests.ingest.readers.pdf_drawing import draw, lines, picture, prose, wrapped


def caption(x0: float, y0: float, x1: float, y1: float, turn: int = 0) -> Rectangle:
    return Rectangle(1, x0, y0, x1, y1, turn)


def test_images_and_drawings_of_a_page_are_found_and_icons_rules_and_backgrounds_are_not(tmp_path):
    def page(canvas):
        canvas.drawImage(picture(255), 0, 0, 595, 842)  # the paper
        lines(canvas, 60, 800, wrapped(prose(1), 70))
        canvas.line(60, 740, 500, 740)
        canvas.drawImage(picture(200), 520, 780, 20, 20)
        for strip in range(4):
            canvas.drawImage(picture(230), 60, 500 + 50 * strip, 300, 50)
        canvas.rect(100, 300, 120, 80)
        canvas.line(220, 340, 260, 340)
        canvas.rect(260, 300, 120, 80)

    boxes = load_figure_boxes(read_figure_boxes(draw(tmp_path / "a.pdf", page), 1))
    assert boxes.pictures == ((60, 500, 360, 700),)
    assert [tuple(map(round, box)) for box in boxes.drawings] == [(99, 299, 381, 381)]  # with half of the pen


def test_figure_of_a_tagged_file_is_what_its_structure_tree_says_without_the_caption(tmp_path, browser):
    page = browser.new_page()
    page.set_content(
        "<p>The gate is opened by hand.</p><figure><pre>open gate\nwait 90\nclose gate</pre>"
        "<figcaption>Figure 1. The steps of the warden</figcaption></figure>"
    )
    path = tmp_path / "printed.pdf"
    page.pdf(path=path, tagged=True)
    page.close()
    characters = read_page_characters(path, [1])[0]
    start = characters.text.index("Figure 1")
    words = compute_rectangles(1, characters, [(start, start + 30)])[0]
    figure = assign_figures({7: words}, load_figure_boxes(read_figure_boxes(path, 1)))[7]
    x, y = (characters.box[:, :2] + characters.box[:, 2:]).T / 2
    is_inside = (x > figure[0]) & (x < figure[2]) & (y > figure[1]) & (y < figure[3])
    inside = "".join(c for c, shown in zip(characters.text, is_inside, strict=True) if shown)
    assert "".join(inside.split()) == "opengatewait90closegate"


@pytest.mark.parametrize(
    ("captions", "pictures", "figures"),
    [
        ({1: caption(100, 80, 300, 92)}, [(100, 100, 300, 200)], {1: (100, 100, 300, 200)}),  # below the figure
        ({1: caption(100, 210, 300, 222)}, [(100, 100, 300, 200)], {1: (100, 100, 300, 200)}),  # above it
        ({1: caption(100, 20, 300, 32)}, [(100, 100, 300, 200)], {}),  # too far away
        ({1: caption(400, 80, 500, 92)}, [(100, 100, 300, 200)], {}),  # in another column
        ({1: caption(100, 110, 300, 122)}, [(100, 100, 300, 200)], {}),  # words on a picture
        (  # pictures beside and above each other over one caption
            {1: caption(100, 80, 500, 92)},
            [(100, 100, 280, 200), (320, 100, 500, 190), (100, 206, 280, 300), (100, 400, 300, 500)],
            {1: (100, 100, 500, 300)},
        ),
        (  # a figure has one caption, and the nearest
            {1: caption(100, 298, 300, 310), 2: caption(100, 88, 300, 100)},
            [(100, 320, 300, 400), (100, 105, 300, 290)],
            {1: (100, 320, 300, 400), 2: (100, 105, 300, 290)},
        ),
        ({1: caption(80, 100, 92, 300, UPWARD)}, [(100, 100, 200, 300)], {1: (100, 100, 200, 300)}),
    ],
)
def test_caption_has_the_nearest_figure_above_or_below_it(captions, pictures, figures):
    assert assign_figures(captions, FigureBoxes(pictures=tuple(pictures))) == figures


def test_drawing_is_a_figure_only_of_a_caption_without_picture():
    boxes = FigureBoxes(pictures=((100, 120, 300, 200),), drawings=((100, 20, 300, 78),))
    above = caption(100, 80, 300, 92)
    assert assign_figures({1: above}, boxes) == {1: (100, 120, 300, 200)}
    assert assign_figures({1: above}, FigureBoxes(drawings=boxes.drawings)) == {1: (100, 20, 300, 78)}
