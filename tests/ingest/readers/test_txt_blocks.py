"""Line ends of a plain text: which of them mean something."""

from __future__ import annotations

import pytest

from ingest.readers.txt_blocks import split_blocks
from tests.properties import given, st

PROSE = """\
The alarm is a rising tone. Leave by the nearest door, do not use the
lift, and meet at the flagpole on the fish quay. The alarm is tested on
the first Monday of each month, and on that occasion you may stay."""


def texts(text: str) -> list[str]:
    return [block.text for block in split_blocks(text)]


def headings(text: str) -> list[tuple[str, int]]:
    return [(block.text, block.level) for block in split_blocks(text) if block.level]


def test_lines_broken_at_the_margin_are_joined():
    assert texts(PROSE) == [PROSE.replace("\n", " ")]


LONG = "No party may without notice assign its rights, or a part of them, or take any other step"


@pytest.mark.parametrize(
    ("before", "after"), [(LONG, "of this kind at all."), (f"{LONG} which", "ends the agreement.")]
)
def test_blank_line_within_a_sentence_ends_no_paragraph(before, after):
    assert texts(f"{before}\n\n{after}\n\nThe end.") == [f"{before} {after}", "The end."]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("with a copy", "to the board of the company"),
        (f"{LONG}.", "of this kind at all."),
        (f"{LONG} of", "Exhibit 10 to this agreement"),
        (f"{LONG}; and", "to the other party when it asks"),
        (LONG, "iv"),
        (f"{LONG} of", "\x1c"),
        (f"{LONG} at a@b.example", "with a copy to the board"),
    ],
)
def test_paragraphs_that_stand_on_their_own_stay_apart(before, after):
    assert len(texts(f"{before}\n\n{after}")) == 2


def test_wide_gaps_in_a_line_of_several_clauses_are_ends_of_paragraphs():
    paragraphs = [
        "The tools remain our property at all times.",
        "9.2 Training",
        "We train you and one of your people before the opening, and pay for the room; you pay for the journey.",
        "9.3 Advice You may ask us on the ____ day of each month.",
        "(a) by letter;",
        "(b) by telephone, where the office is open and the matter cannot wait until the next month.",
    ]
    line = "   ".join(paragraphs).replace("the ____ day", "the      day")
    assert texts(line) == [text.replace("____ ", "") for text in paragraphs]


def test_short_lines_stay_lines():
    address = "Ms Ingrid Solberg\nSolberg Coastal Engineers\nBryggen 12\n5003 Bergen"
    assert texts(f"{PROSE}\n\n{address}\n\n{PROSE}")[1] == address


def test_verse_stays_verse():
    verse = (
        "The harbour sleeps beneath the moon,\nThe boats are all at rest,\nThe tide will bring the morning soon,\n"
        "The wind is in the west."
    )
    assert texts(f"{PROSE}\n\n{verse}")[-1] == verse


def test_list_items_are_lines_of_one_block_and_their_own_lines_are_joined():
    listed = """\
- rinse it with cold water for at least fifteen minutes, or longer when
  the skin still burns;
- take off wet clothing while you rinse."""
    assert texts(f"{PROSE}\n\n{listed}")[1] == (
        "- rinse it with cold water for at least fifteen minutes, or longer when the skin still burns;\n"
        "- take off wet clothing while you rinse."
    )


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("1. Hours:\n   - Saturday: 8 to 18\n     (closed in July)\n2. No glass.", ["1. Hours:\n- Saturday: 8 to 18 (closed in July)\n2. No glass."]),
        ("- Pets are not\nallowed.\n- No glass.", ["- Pets are not allowed.\n- No glass."]),
        ("1. Budget\n   Report by Ann\n2. Staff", ["1. Budget\nReport by Ann\n2. Staff"]),
        ("- Open.\nall year\n- Free.", ["- Open.", "all year", "- Free."]),
    ],
)  # fmt: skip
def test_lines_below_the_text_of_a_list_item_belong_to_it(text, blocks):
    assert texts(text) == blocks


def test_a_list_right_below_its_sentence_is_a_block_of_its_own():
    assert texts("If acid gets on your skin:\n1. rinse;\n2. call.") == [
        "If acid gets on your skin:",
        "1. rinse;\n2. call.",
    ]


def test_a_year_at_the_start_of_a_line_is_no_list_item():
    wrapped = (
        "The works were begun in the spring of 2024 and were finished in May\n25. That was a year before the "
        "harbour master had thought it possible\nto lay the last stone of the wall."
    )
    assert len(texts(wrapped)) == 1
    assert "\n" not in texts(wrapped)[0]


def test_a_first_line_indent_begins_a_paragraph():
    paragraphs = "\n".join("     " + PROSE for _ in range(2))
    assert texts(paragraphs) == [PROSE.replace("\n", " ")] * 2


def test_chinese_lines_are_joined_without_a_space():
    wrapped = "公司每个工作日为每名员工补贴午餐费十五元补贴存入员工卡当月有效\n不能兑换现金早餐和晚餐由员工自己付费来访客人就餐须由接待部门登记\n提前一天。"
    assert texts(wrapped) == [wrapped.replace("\n", "")]


def test_hyphen_at_a_line_end_is_removed_only_when_the_word_is_known():
    text = (
        "The compensation is paid by the Client within three weeks and compen-\nsation for delay is paid by the "
        "Contractor for each of the twenty-\none days that the harbour master has written down in the diary."
    )
    assert "compensation for delay" in texts(text)[0]
    assert "twenty-one days" in texts(text)[0]


@pytest.mark.parametrize(
    "table",
    [
        "Part\tPrice\nStone\t12\nWall\t7",
        "Part      Price\nStone     12\nWall      7",
        "| Part | Price |\n|---|---:|\n| Stone | 12 |\n| Wall | 7 |",
    ],
)
def test_columns_become_cells(table):
    assert texts(f"{PROSE}\n\n{table}")[1] == "Part\tPrice\nStone\t12\nWall\t7"


def test_extra_blanks_in_a_long_line_are_no_table():
    line = "An agreement   " + "made between the Client and the Contractor " * 5
    assert "\t" not in texts(f"{line}\n{line}")[0]


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("# Title", 1),
        ("### Deeper ###", 3),
        ("SCOPE OF WORK", 1),
        ("2. ACIDS AND SOLVENTS", 1),
        ("4.2 Early warning", 2),
        ("Article IV Payment", 1),
        ("Schedule 1", 1),
        ("第三章 食品安全", 1),
        ("第二节 留样", 2),
    ],
)
def test_headings_are_recognised_by_their_marks(line, level):
    assert headings(f"Something before.\n\n{line}\n\nSomething after.") == [(line.strip("# "), level)]


def test_a_numbered_heading_may_stand_right_above_its_first_part():
    assert headings("Before.\n\n3 Scope\n\n3.1 Terms\n\nText.") == [("3 Scope", 1), ("3.1 Terms", 2)]


def test_an_underlined_line_is_a_heading():
    assert headings("First\n=====\n\nText.\n\nSecond\n------\n\nText.") == [("First", 1), ("Second", 2)]


def test_a_short_first_line_is_the_title():
    assert headings("员工食堂管理办法\n\n第一条 本办法适用于总部和港区两个食堂。") == [("员工食堂管理办法", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "Dear Ms Solberg,",
        "OK",
        "12",
        "This is a sentence.",
        "1. Milk\n\n2. Eggs",
        "- - -",
        "4.2 per cent of it.",
        "第三条 采购食品必须查验供应商的许可证。",
    ],
)
def test_other_short_lines_are_no_headings(line):
    assert headings(f"Something long enough before it, with a stop.\n\n{line}\n\nSomething after.") == []


def test_quoted_lines_are_joined_without_their_marks():
    assert texts("\n".join(f"> {line}" for line in PROSE.split("\n"))) == [PROSE.replace("\n", " ")]


def test_horizontal_rules_are_dropped():
    assert texts("One.\n\n--------\n\nTwo.\n* * *\nThree.") == ["One.", "Two.\nThree."]


@given(st.text(alphabet="ab B1.-#|\t\n。中", max_size=200))
def test_no_word_is_lost_or_invented(text):
    def words(given: str) -> str:
        return "".join(char for char in given if char in "abB1中")

    assert sorted(words("".join(texts(text)))) == sorted(words(text))
