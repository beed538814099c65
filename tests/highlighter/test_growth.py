"""Twice the text takes about twice the work, whatever the text is.

Counted are the bytecode instructions that this thread executes, so a loop in Python that grows with the square of a text is
found, on any machine and under any load. What runs in C (regular expressions, `str.find`, matrices) counts as one
instruction: texts that once made a regular expression try each space anew are therefore read at full length, where the
square of it would keep the test for minutes.
"""

import sys
from random import Random

import pytest

from highlighter.grounding.claims import extract_claims
from highlighter.grounding.quotations import check_quote
from highlighter.grounding.wording import parse_wording
from highlighter.models import Source
from highlighter.quotes.matcher import find_closest_match, trim_quote
from highlighter.references.resolver import resolve_references

MOST = 2.4  # times as many instructions for twice the text
SIZE = 500
VOCABULARY = ["".join(Random(at).choices("aeioulmnrst", k=3 + at % 7)) for at in range(3_000)]


def repeated(unit):
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def words(size):
    return " ".join(VOCABULARY)[:size]


HOSTILE = {
    "different words": words,
    "open brackets with numbers": repeated("[1,"),
    "numbers with a sign": lambda size: " ".join(f"{n} %" for n in range(100, 5_000))[:size],
    "quotations": repeated('"quay ferry lamp" '),
    "marks": repeated("[A.pdf, p.3] "),
    "Chinese": repeated("合同应当在二十八天内支付发票金额"),
    "Chinese numbers": repeated("一"),
    "list items": repeated("* Sources:\n"),
    "one long word": repeated("ab.cd"),
    "sentences": repeated("The ferry leaves the quay at seven. "),
}


def operations(work):
    """How many bytecode instructions it executes."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth(work, text):
    """How many times more instructions twice the text takes; what is kept between two requests is made before."""
    sizes, counts = (SIZE, 2 * SIZE), []
    for size in sizes:
        work(text(size))
    for size in sizes:
        parse_wording.cache.clear()
        made = text(size)
        counts.append(operations(lambda: work(made)))  # noqa: B023 - called at once
    return counts[1] / counts[0]


@pytest.mark.parametrize("text", ["open brackets with numbers", "different words", "numbers with a sign", "quotations"])
def test_work_of_a_check_grows_with_the_text(services, text):
    def check(made):
        services.answer_checker.check(
            f"It says this of that. {made}", [Source("a.txt", text=f"It says so. {made} End.")]
        )

    assert growth(check, HOSTILE[text]) < MOST


@pytest.mark.parametrize("text", ["marks", "Chinese", "Chinese numbers", "list items", "one long word"])
def test_work_of_finding_references_and_quotes_grows_with_the_text(text):
    def read(made):
        resolve_references(made, [Source("A.pdf", text="It says so.")])
        find_closest_match(f"{made} End. {made}", made)
        check_quote(f"{made} ... {made}", made)

    assert growth(read, HOSTILE[text]) < MOST


@pytest.mark.parametrize("text", ["different words", "sentences"])
def test_work_of_highlighting_searching_and_locating_grows_with_the_text(services, note, text):
    def ask(made):
        services.passage_highlighter.highlight_text("When does the ferry leave?", made)
        services.search.find(made)
        services.quote_locator.locate(f"{made} ferry quay")

    assert growth(ask, HOSTILE[text]) < MOST


LONG = 100_000
SPACES = " " * LONG


@pytest.mark.parametrize(
    "text",
    [f"Sources{SPACES}x", f"|a|\n{SPACES}x", f"# a{SPACES}x\nb", f"={SPACES}x", f"a{SPACES}b|", "[](" * (LONG // 3)],
    ids=["list of sources", "table", "heading", "rule", "row", "links"],
)
def test_run_of_spaces_is_read_once_for_claims(text):
    extract_claims(text)


def test_run_of_spaces_is_read_once_in_a_quote():
    check_quote(f"The ferry{SPACES}leaves the quay", "The ferry leaves the quay at seven.")
    assert trim_quote(f"... [...] “{'... ' * LONG}The ferry leaves...{SPACES}” ...") == "The ferry leaves"


def test_long_run_of_chinese_digits_is_no_number():
    assert extract_claims("一" * LONG + "年。") != []
    assert not any(word.kind == "number" for word in parse_wording("一" * 5_000 + "年").words)
    assert {"#28"} in [word.keys for word in parse_wording("二十八天").words]
