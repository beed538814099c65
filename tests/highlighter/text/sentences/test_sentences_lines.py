"""Line breaks: paragraphs, lists, tables, headings and hard-wrapped prose."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences


def split_texts(text: str, **options: bool) -> list[str]:
    return [span.text for span in split_sentences(text, **options)]


def test_blank_line_ends_a_sentence_without_a_stop():
    assert split_texts("Early warning\n\nThe Contractor gives notice\n \nand so on") == [
        "Early warning",
        "The Contractor gives notice",
        "and so on",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_wrapped_line_does_not_end_a_sentence(end):
    text = (
        f"The Contractor shall notify the Project{end}Manager as soon as possible. It shall then{end}wait for a reply."
    )
    assert split_texts(text) == [
        f"The Contractor shall notify the Project{end}Manager as soon as possible.",
        f"It shall then{end}wait for a reply.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["Name\tQuantity\tPrice", "Bolt\t4\t1.20", "washer, small\t50\t0.30"],
        ["a) first thing", "b) second thing", "c) third thing"],
        ["(i) to give notice;", "(ii) to pay; and", "(iii) to leave."],
        ["- open the valve", "- close the lid"],
        ["* open the valve", "* close the lid"],
        ["1 INTRODUCTION", "1.1 The Supplier shall supply.", "1.2 The Buyer shall pay."],
        ["Early warning", "The Contractor shall give notice of any matter which could delay the works."],
        ["# Heading", "Text under it."],
        ["| a | b |", "| c | d |"],
        ["bolts", "nuts and washers", "oil, grease"],
        ["The following documents form part of this contract:", "Bill of quantities"],
        ["第一章 总则", "第一条 本法适用于在中华人民共和国境内设立的公司。"],
        ["第一条 公司应当守法", "第二条 公司应当纳税"],
    ],
    ids=lambda lines: lines[0],
)
def test_items_rows_and_headings_end_with_their_line(lines):
    assert split_texts("\n".join(lines)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "See clause\n4.2 for details of the whole procedure.",
        "We met Mr.\nBrown at the gate of the old factory.",
        "本合約由甲方與乙方訂立，雙方同意遵守下列\n各項條款，不得違反。",
        "1. The Contractor shall give notice of any matter that\nmay delay the works.",
        "It was known to the\nMinistry of Works, to the Treasury and to everyone else.",
    ],
)
def test_sentence_over_two_lines_stays_whole(text):
    assert split_texts(text) == [text]


def test_every_line_break_ends_a_sentence_in_a_text_without_wrapped_lines():
    rows = [
        "the right to stop work at any time for the safety of",
        "others on the site and near it, whoever they may be",
    ]
    assert split_texts("\n".join(rows)) == ["\n".join(rows)]
    assert split_texts("\n".join(rows), wrapped=False) == rows


def test_inline_list_is_split_at_its_markers():
    assert split_texts("Steps: 1. Open the valve 2. Close the lid 3. Leave") == [
        "Steps:",
        "1. Open the valve",
        "2. Close the lid",
        "3. Leave",
    ]


def test_bullets_between_names_are_only_separators():
    assert split_texts("Home • About • Contact") == ["Home • About • Contact"]


def test_numbers_after_nouns_are_no_list_markers():
    assert len(split_texts("1. The rest of section 2. Applies to paragraph 3. Only then.")) < 5
    assert split_texts("1. Payment falls due on day 2 or 3 of the month.") == [
        "1. Payment falls due on day 2 or 3 of the month."
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("03/01/2016\tBusiness Daily, Inc.\tLos Angeles\t42", ["03/01/2016\tBusiness Daily, Inc.\tLos Angeles\t42"]),
        ("Siemens plc.\tBerlin", ["Siemens plc.\tBerlin"]),
        ("Item A\t1. First list\t12", ["Item A\t1. First list\t12"]),
        ("11 Are Quartets Reliable?\t37", ["11 Are Quartets Reliable?\t37"]),
        ("Paid in full.\tYes, by bank.", ["Paid in full.", "Yes, by bank."]),
        ("tests.Rnw: A harder look.Then another", ["tests.Rnw: A harder look.", "Then another"]),
        ("Sepal.Length\tPetal.Width\tPlant.Name", ["Sepal.Length\tPetal.Width\tPlant.Name"]),
        ("108 CHAPTER 5. NON-LINEAR SOURCES", ["108 CHAPTER 5. NON-LINEAR SOURCES"]),
        ("Its amount is 𝑗. Then it holds.", ["Its amount is 𝑗.", "Then it holds."]),
        ("[14] M.M. Moss, A. Bell, 2015.", ["[14] M.M. Moss, A. Bell, 2015."]),
        ("Comp. 1\tComp. 2", ["Comp. 1\tComp. 2"]),
        ("He moved to Berlin.She stayed.", ["He moved to Berlin.", "She stayed."]),
        ("if ! groups | grep -q sudo ; then", ["if ! groups | grep -q sudo ; then"]),
        ("No.\tRevision/Issue\tDate", ["No.\tRevision/Issue\tDate"]),
        ("City\tNo. Of\tLayoff/Closure", ["City\tNo. Of\tLayoff/Closure"]),
        ("Let x = y. Then it holds.", ["Let x = y.", "Then it holds."]),
        ("Sei P ≠ Q. Gegeben sei A. Daraus folgt B.", ["Sei P ≠ Q.", "Gegeben sei A.", "Daraus folgt B."]),
        ("He said no. Of course he did.", ["He said no.", "Of course he did."]),
        ("[HZRS15] K. He, X. Zhang, and J. Sun, 2015.", ["[HZRS15] K. He, X. Zhang, and J. Sun, 2015."]),
        ("Инв. № 5 утверждён.", ["Инв. № 5 утверждён."]),
        ("Справ. № Перв. примен.", ["Справ. № Перв. примен."]),
        ("См. договор № 5. № 6 отменён.", ["См. договор № 5.", "№ 6 отменён."]),
        ("WHEN QSYS2 . VERIFY_GROUP ( USER ) = 1", ["WHEN QSYS2 . VERIFY_GROUP ( USER ) = 1"]),
        ("THEN C . CUSTOMER_ID ELSE NULL", ["THEN C . CUSTOMER_ID ELSE NULL"]),
        ("He joined NATO . UN staff left.", ["He joined NATO .", "UN staff left."]),
    ],
)
def test_period_within_a_name_ends_no_sentence(text, sentences):
    assert split_texts(text, wrapped=False) == sentences
