"""Markers of list items differ from other beginnings of lines, for each kind of file."""

from __future__ import annotations

import pytest

from ingest.list_markers import LIST_MARKER, LONE_MARKER, TXT_LIST_MARKER, is_pdf_item_start


@pytest.mark.parametrize(
    "line",
    ["• An item", "➢ An item", "- An item", "1. An item", "(a) An item", "iv) An item", "3.2.1 An item", "（三） 款"],
)
def test_line_with_marker_is_an_item_in_every_file(line):
    for pattern in (LIST_MARKER, TXT_LIST_MARKER):
        assert pattern.match(line)
    assert is_pdf_item_start(line)


@pytest.mark.parametrize("line", ["An item", "2024 was dry", "e.g. this", "1,000 pounds", "-5 degrees", "第三者"])
def test_line_without_marker_is_no_item(line):
    for pattern in (LIST_MARKER, TXT_LIST_MARKER):
        assert not pattern.match(line)
    assert not is_pdf_item_start(line)


def test_chinese_markers_of_text_files_need_no_white_space():
    assert TXT_LIST_MARKER.match("一、總則")
    assert not LIST_MARKER.match("一、總則")
    assert TXT_LIST_MARKER.match("第十二條 租金")


def test_marker_alone_in_a_cell():
    for text in ("•", "\uf0b7", "(iv)", "12.", "2.1", "第三、", "o"):
        assert LONE_MARKER.match(text), text
    for text in ("12", "• x", "No.", "pounds"):
        assert not LONE_MARKER.match(text), text
