"""Borders of clauses, by their kinds."""

import pytest

from highlighter.text.clauses import CLAUSES, COORDINATIONS, MARKS, MATTERS, find_clause, list_clauses


@pytest.mark.parametrize(
    ("text", "kinds", "clauses"),
    [
        ("the fee is 1,200 euros, and dogs are allowed", CLAUSES, ["the fee is 1,200 euros", " dogs are allowed"]),
        ("cats may come; dogs may not", COORDINATIONS, ["cats may come", " dogs may not"]),
        ("it was paid, but nobody said so", COORDINATIONS, ["it was paid, but nobody said so"]),
        ("it was paid, but nobody said so", MATTERS, ["it was paid", " nobody said so"]),
        ("it was paid, and nobody said so", MATTERS, ["it was paid, and nobody said so"]),
        ("it was paid, and nobody said so", MARKS, ["it was paid", " and nobody said so"]),
        ("der hund bleibt und die katze geht", CLAUSES, ["der hund bleibt", " die katze geht"]),
        ("租客付租金，但业主付税；押金不退", MATTERS, ["租客付租金", "业主付税", "押金不退"]),
        # A "but" without a comma, and words that are no "but".
        ("sales fell in spring but rose in autumn", MATTERS, ["sales fell in spring but rose in autumn"]),
        ("sales fell in spring but rose in autumn", CLAUSES, ["sales fell in spring", " rose in autumn"]),
        ("the road is closed for a while in may", CLAUSES, ["the road is closed for a while in may"]),
        ("he said nothing but the truth", CLAUSES, ["he said nothing but the truth"]),
        ("das werk wird während der ferien geschlossen", CLAUSES, ["das werk wird während der ferien geschlossen"]),
        ("租客不但付租金", CLAUSES, ["租客不但付租金"]),
        ("租客付租金但业主付税", CLAUSES, ["租客付租金", "业主付税"]),
        ("租客付租金但业主付税", MATTERS, ["租客付租金但业主付税"]),
        # A colon may announce what a sentence expects; a listing goes on with what a "not" denies.
        ("we expect the following: the tax rises", MATTERS, ["we expect the following: the tax rises"]),
        ("不准吸烟、饮酒，可以下棋", MARKS, ["不准吸烟、饮酒", "可以下棋"]),
        ("不准吸烟、饮酒，可以下棋", CLAUSES, ["不准吸烟", "饮酒", "可以下棋"]),
        # The stop of an abbreviation.
        ("bids of dr. smith, e.g. by fax, or under art. 5 are refused", MATTERS, ["bids of dr. smith, e.g. by fax, or under art. 5 are refused"]),
        ("bids are refused. they are late", MATTERS, ["bids are refused", " they are late"]),
        # "En" is "and" in Dutch alone.
        ("katten en honden", CLAUSES, ["katten", " honden"]),
        ("alquiler en mayo no pagado", COORDINATIONS, ["alquiler en mayo no pagado"]),
        ("de huurder betaalt de huur en de verhuurder betaalt de belasting", CLAUSES, ["de huurder betaalt de huur", " de verhuurder betaalt de belasting"]),
        ("le locataire paie le loyer en mai de chaque année", CLAUSES, ["le locataire paie le loyer en mai de chaque année"]),
    ],
)  # fmt: skip
def test_text_is_split_at_borders_of_the_kinds(text, kinds, clauses):
    assert [text[start:end] for start, end in list_clauses(text, kinds)] == clauses


def test_clause_around_a_span_ends_at_the_nearest_borders():
    text = "cats may come, dogs may not, and birds may sing"
    start = text.index("dogs")
    assert text[slice(*find_clause(text, start, start + 4))] == " dogs may not"
    assert text[slice(*find_clause(text, 0, start))] == "cats may come, dogs may not"
