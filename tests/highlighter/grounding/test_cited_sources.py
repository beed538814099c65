"""A check of an answer from elsewhere holds each claim to the named sources that its markers cite."""

from dataclasses import replace
from itertools import pairwise

import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.cited_pages import find_pages
from highlighter.grounding.cited_sources import LeftOutSource, check_answer
from highlighter.grounding.verdicts import CONTRADICTED, NOT_COMPARED, PARTLY, SUPPORTED, WRONG_SOURCE
from highlighter.models import Source

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers."
FARES = "Tickets cost four pounds. Children under five travel free of charge."
SOURCES = [Source("Ferry.txt", text=FERRY), Source("Fares.pdf", text=FARES, pages=(2,), page_count=4)]
GHOST = "It cites “Ghost.pdf”, which is not among the sources."
HERE = "Fares.pdf, page 2, says this."


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    calibration = load_calibration(embedder.name, tmp_path_factory.mktemp("none"))
    return Checker(embedder, EvidenceScorer(calibration, JointScorer()))


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        ("Tickets cost four pounds.", SUPPORTED, ""),
        ("Tickets cost four pounds [Fares.pdf, p. 2].", SUPPORTED, ""),
        ("Tickets cost four pounds【2】。", SUPPORTED, ""),
        ("Tickets cost four pounds (see below).", SUPPORTED, ""),
        ("Tickets cost four pounds [sic].", SUPPORTED, ""),
        ("Tickets cost four pounds [Ghost.pdf].", WRONG_SOURCE, f"{GHOST} {HERE}"),
        ("Tickets cost four pounds [^12].", WRONG_SOURCE, f"It cites source 12; there are 2 sources. {HERE}"),
        ("Tickets cost four pounds [Fares, p. 9].", WRONG_SOURCE,
         f"It cites page 9 of Fares.pdf, which has 4 pages. {HERE}"),
        ("Tickets cost four pounds [Fares, p. 3].", WRONG_SOURCE,
         f"It cites page 3 of Fares.pdf, which is not among the sources. {HERE}"),
        ("Tickets cost four pounds [Fares, pp. 4-2].", WRONG_SOURCE,
         f"It cites pages 4-2 of Fares.pdf: the last page comes before the first. {HERE}"),
        ("Tickets cost four pounds [Fares, p.-2].", WRONG_SOURCE,
         f"It cites page -2 of Fares.pdf, which has 4 pages. {HERE}"),
        ("Tickets cost four pounds [1].", WRONG_SOURCE, "The cited source does not say this; Fares.pdf, page 2, does."),
        ("Tickets cost four pounds [2] [Ghost.pdf].", PARTLY, GHOST),
        ("Tickets cost four pounds [^1].\n\n[^1]: Ghost.pdf, p. 3", WRONG_SOURCE,
         f"It cites “Ghost.pdf, p. 3”, which is not among the sources. {HERE}"),
        ("Tickets cost four pounds.¹\n\n¹ Fares.pdf", SUPPORTED, ""),
        ("Tickets cost four pounds<sup>2</sup>.", SUPPORTED, ""),
        ("Tickets cost four pounds [1].\n\n[1] Fares, p. 2", SUPPORTED, ""),
        *((f"Tickets cost four pounds{mark}.\n\n{mark.strip()} Ferry.txt", WRONG_SOURCE,
           "The cited source does not say this; Fares.pdf, page 2, does.")
          for mark in ("²", " ²", "<sup>2</sup>", " [2]")),
        ("Tickets cost four pounds [^1].\n\n[^1]: Fares.pdf, p. 9", WRONG_SOURCE,
         f"It cites page 9 of Fares.pdf, which has 4 pages. {HERE}"),
    ],
)  # fmt: skip
def test_claim_is_held_to_what_it_cites(checker, answer, verdict, why):
    report = check_answer(checker, answer, SOURCES)
    (claim,) = report.claims
    assert (claim.verdict, claim.why) == (verdict, why)
    assert report.grounded == (verdict == SUPPORTED)
    assert (report.grounding_score > 0.5) == (verdict == SUPPORTED)
    assert claim.evidence[0].source == 1
    if verdict == WRONG_SOURCE:
        assert report.with_warnings.endswith(f"⚠ Wrong source cited: “Tickets cost four pounds.” {why}")


LONG = LeftOutSource(Source("Long.pdf", pages=(1, 2), page_count=2), "Long.pdf is too long.")


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        ("Tickets cost nine pounds [Long.pdf, p. 2].", NOT_COMPARED, "Long.pdf is too long."),
        ("Crews wear red coats [Long].", NOT_COMPARED, "Long.pdf is too long."),
        ("Tickets cost four pounds [Long.pdf].", NOT_COMPARED, f"Long.pdf is too long. {HERE}"),
        ("Tickets cost four pounds [Long.pdf] [Ghost.pdf].", NOT_COMPARED, f"Long.pdf is too long. {GHOST} {HERE}"),
        ("Tickets cost four pounds [Long.pdf] [Fares.pdf].", SUPPORTED, ""),
        ("Tickets cost four pounds [Long.pdf] [Ferry.txt].", NOT_COMPARED, f"Long.pdf is too long. {HERE}"),
        ("Tickets cost nine pounds [Long.pdf] [Fares.pdf].", CONTRADICTED,
         "The source says four pounds where the claim says nine pounds."),
        ("Both reports say that tickets cost four pounds [Long.pdf] [Fares.pdf].", NOT_COMPARED, "Long.pdf is too long."),
        ("Tickets cost four pounds [Fares.pdf].", SUPPORTED, ""),
    ],
)  # fmt: skip
def test_claim_is_not_compared_where_a_cited_source_is_left_out_and_no_other_decides(checker, answer, verdict, why):
    (claim,) = check_answer(checker, answer, SOURCES, left_out=[LONG]).claims
    assert (claim.verdict, claim.why) == (verdict, why)
    assert claim.score == 0 or verdict != NOT_COMPARED


@pytest.mark.parametrize("names", [("", ""), ("Ferry.txt", "")])
def test_markers_mean_nothing_where_sources_have_no_names(checker, names):
    sources = [Source(name, text=source.text) for name, source in zip(names, SOURCES, strict=True)]
    (claim,) = check_answer(checker, "Tickets cost four pounds [Ghost.pdf].", sources).claims
    assert (claim.verdict, claim.why) == (SUPPORTED, "")


def test_claim_that_needs_a_second_source_is_partly_supported(checker):
    claims = "Tickets cost four pounds and the ferry leaves the island at seven in the morning [{}]."
    (both,) = check_answer(checker, claims.format("1, 2"), SOURCES).claims
    (one,) = check_answer(checker, claims.format("1"), SOURCES).claims
    assert both.verdict == SUPPORTED
    assert one.verdict not in (SUPPORTED, WRONG_SOURCE)
    assert one.why


# A document of three pages, whose printed numbers begin at i; a sentence runs over from the second to the third.
RULES = (
    "Dogs stay on the lead. Tickets are sold on board. ",
    "The bar closes at ten in the evening. The ferry leaves ",
    "the island at seven in the morning. Tickets are sold on board. The rent is due on the first day of March.",
)
STARTS = [sum(map(len, RULES[:index])) for index in range(4)]
PAGE_SPANS = tuple((start, end, page) for page, (start, end) in enumerate(pairwise(STARTS), 1))
RULE_BOOK = Source(
    "Rules.pdf",
    text="".join(RULES),
    pages=range(1, 4),
    page_labels=("i", "1", "2"),
    page_count=3,
    page_spans=PAGE_SPANS,
)
DUE, BAR = "The rent is due on the first day of March", "The bar closes at ten in the evening"
LEAVES, SOLD = "The ferry leaves the island at seven in the morning", "Tickets are sold on board"


@pytest.mark.parametrize(
    ("answer", "page"),
    [
        (f"{DUE} [Rules, p. 1].", "2"),  # the second page, as printed; there is no other reading
        (f"{DUE} [Rules, p. i].", "2"),
        (f"{DUE} [Rules, pp. i-1].", "2"),
        (f"{DUE} [1, p. 1].", "2"),
        (f"{BAR} [Rules, p. 3].", "1"),  # counted: printed nowhere
        (f"{DUE} [Rules, p. 2].", ""),
        (f"{DUE} [Rules, p. 3].", ""),  # counted
        (f"{BAR} [Rules, p. 2].", ""),  # counted, although 2 is printed on the next page
        (f"{LEAVES} [Rules, p. 1].", ""),  # runs over two pages
        (f"{LEAVES} [Rules, p. 3].", ""),
        (f"{SOLD} [Rules, p. i].", ""),  # stands on two pages
        (f"{SOLD} [Rules, p. 3].", ""),
        (f"{DUE} [Rules, pp. 1-2].", ""),
        (f"{DUE} [Rules, pp. 1 ff.].", ""),
        (f"{DUE} [Rules, p. 1] [Rules, p. 2].", ""),
        (f"{DUE} [Rules, p. 1] [Rules].", ""),
        (f"{DUE} [Rules].", ""),
        (f"{DUE} and the bar closes at ten in the evening [Rules, p. 2].", ""),  # one half is there
    ],
)
def test_claim_is_held_to_the_page_that_it_cites(checker, answer, page):
    (claim,) = check_answer(checker, answer, [RULE_BOOK]).claims
    why = f"It cites the wrong page; Rules.pdf, page {page}, says this."
    assert (claim.verdict, claim.why) == ((WRONG_SOURCE, why) if page else (SUPPORTED, ""))
    for evidence in claim.evidence:
        assert RULE_BOOK.text[evidence.start : evidence.end] == evidence.text


def test_claim_rests_on_the_page_that_it_cites_where_several_say_it(checker):
    for cited, pages in (("i", {1}), ("3", {3})):
        (claim,) = check_answer(checker, f"{SOLD} [Rules, p. {cited}].", [RULE_BOOK]).claims
        assert set(find_pages(RULE_BOOK, claim.evidence[0].start, claim.evidence[0].end)) == pages


TERMS = Source(
    "Terms.txt",
    document_id="terms",
    text="1 Fares\n\n1.1 Tickets cost four pounds. Children under five travel free of charge.\n\n"
    "1.2 The ferry leaves the island at seven in the morning.\n\n2 Dogs\n\n2.1 Dogs sleep in the kennel on deck.",
)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Tickets cost four pounds [Terms, cl. 1.1].", ""),
        ("Children under five travel free of charge [Terms, § 1.1].", ""),
        ("Dogs sleep in the kennel on deck (Terms.txt, section 2).", ""),
        ("Tickets cost four pounds [Terms, clauses 1.1 and 2.1].", ""),
        ("Tickets cost four pounds [Terms, Table 2].", ""),
        ("Tickets cost four pounds [Terms, cl. 1.2] [Terms, cl. 1.1].", ""),
        ("Tickets cost four pounds [Terms, cl. 1.2].", "It cites the wrong clause; Terms.txt says this elsewhere."),
        ("Tickets cost four pounds.¹\n\n¹ Terms.txt, clause 2.1",
         "It cites the wrong clause; Terms.txt says this elsewhere."),
        ("Tickets cost four pounds [Terms, cl. 9.9].", "Terms.txt has no clause 9.9. Terms.txt says this."),
    ],
)  # fmt: skip
def test_claim_is_held_to_the_clause_that_it_cites(checker, answer, why):
    (claim,) = check_answer(checker, answer, [TERMS]).claims
    assert (claim.verdict, claim.why) == (WRONG_SOURCE if why else SUPPORTED, why)
    paged = replace(TERMS, pages=(3,))
    assert [claim.why for claim in check_answer(checker, answer, [paged]).claims] == [
        why.replace("Terms.txt says", "Terms.txt, page 3, says")
    ]


def test_no_page_is_wrong_where_pages_are_unknown(checker):
    unknown = replace(RULE_BOOK, page_spans=())
    (claim,) = check_answer(checker, f"{DUE} [Rules, p. 1].", [unknown]).claims
    assert claim.verdict == SUPPORTED
