"""Work grows in proportion to the length of a text, whatever the text is.

The tests count the lines of Python that this thread executes, so a Python loop that grows with the square of a
text's length is detected on any machine and under any load. Code in C (regular expressions, `str.find`, matrices)
counts as nothing more. Adversarial texts are therefore also read at a length where quadratic work would take ten times the
processor time that this thread may use.
"""

import time
from random import Random

import pytest

from highlighter.evidence.explanations import explain_evidence
from highlighter.evidence.scorer import build_unscored_evidence
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.claims import extract_claims
from highlighter.grounding.contrasts import find_contrasts
from highlighter.grounding.quotations import check_quote
from highlighter.grounding.statements import split_statements
from highlighter.grounding.table_rows import find_table_rows
from highlighter.grounding.wording import parse_wording
from highlighter.models import Sentence, Source
from highlighter.quotes.matcher import find_closest_match, trim_quote
from highlighter.references.resolver import resolve_references
from highlighter.search.quote_locator import MAX_QUOTE_CHARACTERS
from highlighter.text.model_instructions import find_model_instructions
from highlighter.text.sentences import split_sentences
from highlighter.text.terms import extract_terms
from tests.highlighter.line_counts import MAX_GROWTH, measure_growth, repeat_unit

VOCABULARY = ["".join(Random(seed).choices("aeioulmnrst", k=3 + seed % 7)) for seed in range(3_000)]


def join_words(size):
    return " ".join(VOCABULARY)[:size]


HOSTILE = {
    "different words": join_words,
    "open brackets with numbers": repeat_unit("[1,"),
    "numbers with a sign": lambda size: " ".join(f"{n} %" for n in range(100, 5_000))[:size],
    "quotations": repeat_unit('"quay ferry lamp" '),
    "markers": repeat_unit("[A.pdf, p.3] "),
    "Chinese": repeat_unit("合同应当在二十八天内支付发票金额"),
    "Chinese numbers": repeat_unit("一"),
    "list items": repeat_unit("* Sources:\n"),
    "one long word": repeat_unit("ab.cd"),
    "sentences": repeat_unit("The ferry leaves the quay at seven. "),
}


@pytest.mark.parametrize(
    "text", ["open brackets with numbers", "different words", "numbers with a sign", "quotations", "markers"]
)
def test_checking_an_answer_grows_linearly(services, text):
    def check(text_of_size):
        sources = [Source("a.txt", text=f"It says so. {text_of_size} End.")]
        check_answer(services.answer_checker, f"It says this of that. {text_of_size}", sources)

    assert measure_growth(check, HOSTILE[text]) < MAX_GROWTH


@pytest.mark.parametrize("text", ["markers", "Chinese", "Chinese numbers", "list items", "one long word"])
def test_finding_references_and_quotes_grows_linearly(text):
    def read(text_of_size):
        resolve_references(text_of_size, [Source("A.pdf", text="It says so.")])
        find_closest_match(f"{text_of_size} End. {text_of_size}", text_of_size)
        check_quote(f"{text_of_size} ... {text_of_size}", text_of_size)

    assert measure_growth(read, HOSTILE[text]) < MAX_GROWTH


@pytest.mark.parametrize("text", ["different words", "sentences"])
def test_highlighting_searching_and_locating_grow_linearly(services, note, text):
    def ask(text_of_size):
        services.passage_highlighter.highlight_text("When does the ferry leave?", text_of_size)
        services.search.find(text_of_size)
        services.quote_locator.locate(f"{text_of_size} ferry quay")

    assert measure_growth(ask, HOSTILE[text]) < MAX_GROWTH


def post(path, **fields):
    return lambda client, text: client.post(
        f"/api/v1/{path}", json={name: value(text) if callable(value) else value for name, value in fields.items()}
    )


def find_in_note(client, text):
    (document,) = client.get("/api/v1/documents").json["documents"]
    return client.get(f"/api/v1/documents/{document['document_id']}/find", query_string={"q": text})


def identity(text):
    return text


# Short texts, by their route: (the request, the texts). tests/highlighter/web/api/test_text_limits.py has the long ones.
PUBLIC_TEXTS = {
    "question": (post("answers", question=identity), ["different words", "sentences", "open brackets with numbers"]),
    "question of a highlight": (post("highlight", text="It leaves at noon.", question=identity), ["different words"]),
    "find in a document": (find_in_note, ["quotations", "Chinese"]),
    "URL": (lambda client, text: client.get(f"/{text}"), ["one long word"]),
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, (_, texts) in PUBLIC_TEXTS.items() for text in texts]
)
def test_answering_a_request_grows_linearly_with_its_text(client, note, name, text):
    request = PUBLIC_TEXTS[name][0]
    statuses = []

    def send(text_of_size):
        statuses.append(request(client, text_of_size).status_code)

    assert measure_growth(send, HOSTILE[text]) < MAX_GROWTH
    assert set(statuses) <= ({404} if name == "URL" else {200})


LONG = 100_000
# The linear readers take less than half a second of processor time, and those that once grew with the square took over ten.
ADVERSARIAL_CHARACTERS, MAX_SECONDS = 40_000, 5
ADVERSARIAL = {
    "spaces": lambda size: f"x{' ' * (size - 2)}x",
    "lines": lambda size: f"x{chr(10) * (size - 2)}x",
    "open brackets": repeat_unit("["),
    "round brackets": repeat_unit("(p. 3 "),
    "links": repeat_unit("[]("),
    "one word": repeat_unit("ferry "),
    "one letter": repeat_unit("a"),
    "digits": repeat_unit("7"),
    "list of digits": repeat_unit("1,"),
    "ellipses": repeat_unit("... "),
    "quotation marks": repeat_unit('"a" '),
    "ideographs": repeat_unit("一"),
    "combining characters": lambda size: "e" + "\u0301" * (size - 1),
    "markers": repeat_unit("[a.txt, p.3] "),
    "rows": repeat_unit("|a|\n"),
    "abbreviations": repeat_unit("a.b."),
    "emphasis": repeat_unit("*_"),
    "code": repeat_unit("`a``"),
    "tags": repeat_unit("<a "),
    "semicolons": repeat_unit(" ;"),
    "list of sources": lambda size: f"Sources:{' ' * (size - 9)}x",
}
QUOTED = "The ferry leaves the quay at seven."
QUESTIONS = (
    "When does it leave?",
    "How many leave?",
    "Who leaves?",
    "Why does it leave?",
)  # each kind, by its own patterns


def explain_sentence(text):
    for question in QUESTIONS:
        explain_evidence(build_unscored_evidence(question, [Sentence(0, 0, len(text), text)], 0.5, "evidence", ""))


TEXT_READERS = {
    "sentences": split_sentences,
    "terms": extract_terms,
    "instructions to a model": lambda text: find_model_instructions([text]),
    "rows of tables": lambda text: list(find_table_rows(text)),
    "claims": extract_claims,
    "statements": split_statements,
    "references": lambda text: resolve_references(text, [Source("A.pdf", text=QUOTED)]),
    "trimmed quote": trim_quote,
    "quote to verify": lambda text: check_quote(text, QUOTED),
    "text that a quote is verified in": lambda text: check_quote(QUOTED, text),
    "quote to locate": lambda text: find_closest_match(text[:MAX_QUOTE_CHARACTERS], QUOTED),
    "text that a quote is located in": lambda text: find_closest_match("The ferry leaves at eight" + text[:500], text),
    "explanation of a sentence": explain_sentence,
}


def measure_seconds(work):
    """Return the processor time of this thread: other processes, and waiting, do not count."""
    before = time.thread_time()
    work()
    return time.thread_time() - before


@pytest.mark.parametrize("text", ADVERSARIAL)
@pytest.mark.parametrize("reader", TEXT_READERS)
def test_long_adversarial_text_is_read_in_bounded_time(reader, text):
    long_text = ADVERSARIAL[text](ADVERSARIAL_CHARACTERS)
    assert measure_seconds(lambda: TEXT_READERS[reader](long_text)) < MAX_SECONDS


@pytest.mark.parametrize(
    "unit", ["de eigenaar en de huurder ", "the owner and the tenant, ", "not red, ", "kept , not sold; "]
)
def test_clauses_of_a_long_text_are_compared_with_a_claim_in_bounded_time(unit):
    source = parse_wording("Both must sign. " + repeat_unit(unit)(ADVERSARIAL_CHARACTERS // 2))
    claims = ("De eigenaar of de huurder moet tekenen.", "The owner or the tenant must sign.", "It is red.")
    assert measure_seconds(lambda: [find_contrasts(parse_wording(claim), source) for claim in claims]) < MAX_SECONDS


SPACES = " " * LONG


@pytest.mark.parametrize(
    "text",
    [f"Sources{SPACES}x", f"|a|\n{SPACES}x", f"# a{SPACES}x\nb", f"={SPACES}x", f"a{SPACES}b|", "[](" * (LONG // 3)],
    ids=["list of sources", "table", "heading", "rule", "row", "links"],
)
def test_run_of_spaces_is_read_once_for_claims(text):
    assert measure_seconds(lambda: extract_claims(text)) < MAX_SECONDS


def test_run_of_spaces_is_read_once_in_a_quote():
    quote = f"The ferry{SPACES}leaves the quay"
    assert measure_seconds(lambda: check_quote(quote, "The ferry leaves the quay at seven.")) < MAX_SECONDS
    assert trim_quote(f"... [...] “{'... ' * LONG}The ferry leaves...{SPACES}” ...") == "The ferry leaves"


def test_long_run_of_chinese_digits_is_no_number():
    assert extract_claims("一" * LONG + "年。") != []
    assert not any(word.kind == "number" for word in parse_wording("一" * 5_000 + "年").words)
    assert any("#28" in word.keys for word in parse_wording("二十八天").words)
