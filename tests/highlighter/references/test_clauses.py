"""Cited clauses: where they begin and end in a text that numbers its clauses, and which texts lack them."""

import pytest

from highlighter.references.clauses import ClauseIndex, parse_cited_clause

CONTRACT = (
    "Contents\n6.4 Delay ..... 9\n\n1 Words\n\n1.1 The works are all that is provided.\n\n6 Delay\n\n"
    "6.4 The Contractor pays £4,200 a day. It pays weekly:\n1. by transfer;\n2. by cheque.\n\n6.4.1 No more is paid.\n\n"
    "6.5 Clause 8.1 of the Act applies.\n\n7 Notices\n\n1\tBarge\t2.1\n2\tTug\t2.2"
)
RULES = "总则\n\n第一条 食堂由行政部负责管理。早餐七时开始。\n\n第二条 禁止吸烟。\n\n第十二章 附则\n\n第十二条 本办法自三月起施行。"
LAW = "§ 1 Zweck\n\nDer Zweck.\n\n§ 2 Pflichten\n\nDie Pflichten.\n\n§ 3a Ende"


def find(text, label):
    cited = parse_cited_clause(label)
    assert cited is not None
    return ClauseIndex(text).find(cited)


@pytest.mark.parametrize(
    ("text", "label", "sentence", "last_words"),
    [
        (CONTRACT, "Contract, cl. 6.4", "6.4 The Contractor pays £4,200 a day.", "No more is paid."),
        (CONTRACT, "Contract, cl. 6.4.1", "6.4.1 No more is paid.", "No more is paid."),
        (CONTRACT, "Contract, Clause 6.4(a), p. 3", "6.4 The Contractor pays £4,200 a day.", "No more is paid."),
        (CONTRACT, "s. 6 of the Contract", "6 Delay", "of the Act applies."),
        (CONTRACT, "Contract, Ziffer 7", "7 Notices", "2.2"),
        (RULES, "食堂管理办法，第二條", "第二条 禁止吸烟。", "禁止吸烟。"),
        (RULES, "食堂管理办法，第12条", "第十二条 本办法自三月起施行。", "施行。"),
        (LAW, "BDSG, § 2 Abs. 1", "§ 2 Pflichten", "Die Pflichten."),
        (LAW, "BDSG, Art. 3a", "§ 3a Ende", "Ende"),
    ],
)
def test_clause_begins_with_its_number_and_ends_before_the_next(text, label, sentence, last_words):
    start, sentence_end, end = find(text, label).place
    assert text[start:sentence_end] == sentence
    assert text[start:end].rstrip().endswith(last_words)


@pytest.mark.parametrize(
    ("text", "label", "is_missing"),
    [
        (CONTRACT, "Contract, cl. 99.9", True),
        (CONTRACT, "Contract, cl. 99", True),
        (CONTRACT, "Contract, cl. 8.1", False),  # the text names it, though as another's
        (CONTRACT, "Contract, 第九条", False),
        (RULES, "食堂管理办法，第九十九条", True),
        ("1.1 One.\n\n1.2 He pays within\n30 days.\n\n1.3 Two.\n\nArticle VII Notices", "Lease, s. 30", False),
        ("1.1 One.\n\n1.2 Two.\n\n1.3 Three.\n\nArticle VII Notices", "Lease, Art. 7", False),
        ("3.5 percent\n\n4.5 percent\n\n2.5 percent", "Report, s. 9", False),
        (RULES, "食堂管理办法, clause 9", False),
        ("1. Look.\n2. Ask.\n3. Wait.\n4. Go.", "Policy, section 9", False),
        ("1.1 One.\n\n1.1 Another.\n\n1.2 Two.\n\n1.3 Three.", "Policy, section 1.1", False),
    ],
)
def test_clause_is_missing_only_where_the_text_numbers_others(text, label, is_missing):
    lookup = find(text, label)
    assert lookup.place is None
    assert lookup.is_missing == is_missing


@pytest.mark.parametrize(
    "label", ["NEC4 ACC, p. 3", "NEC4 ACC, Table 3", "NEC4 ACC, lines 10-20", "class 4", "Article IV"]
)
def test_label_without_the_number_of_one_clause_cites_none(label):
    assert parse_cited_clause(label) is None


@pytest.mark.parametrize("label", ["Mietvertrag, S. 3", "Contract, p. 6", "Contract, clauses 6.4 to 6.5"])
def test_page_and_range_cite_no_single_clause(label):
    assert parse_cited_clause(label) is None
