"""The pages that a label names."""

import pytest

from highlighter.answering.passage_search import format_page_suffix
from highlighter.models import Source


@pytest.mark.parametrize(
    ("pages", "suffix"),
    [
        ((), ", pp.2-9"),
        ([3], ", p.3"),
        ([3, 4, 3], ", pp.3-4"),
        ([2, 9], ", pp.2, 9"),
        ([5, 2, 3, 4, 8, 9], ", pp.2-5, 8-9"),
    ],
)
def test_label_names_no_page_between_pages(pages, suffix):
    assert format_page_suffix(Source("Rules.pdf", pages=range(2, 10)), pages) == suffix


def test_printed_labels_of_pages_are_named():
    source = Source("Rules.pdf", pages=(1, 2, 3), page_labels=("i", "ii", "1"))
    assert format_page_suffix(source, [1, 3]) == ", pp.i, 1"
