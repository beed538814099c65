"""The page that checks a pasted answer: its claims with their sentences, its quotations, and what it cites."""

from __future__ import annotations

import html
import re
import tempfile
from pathlib import Path

import pytest

from highlighter.app import create_app
from ingest.pipeline import ingest_file

ANSWER = """For each day until Completion the Contractor pays delay damages of £4,200 [Harbour Works Contract, p. 2].

- Delay damages stop at **twenty per cent** of the total of the prices.
- A working day is "a day other than a Monday or a public holiday".
"""

PORTERS = ("night warden", "quay inspector", "customs clerk", "pilot master", "diving team", "crane driver", "harbour cook",
           "rope maker", "tide reader", "lamp keeper", "sail mender", "toll farmer")  # fmt: skip
TRAINED = {
    f"{name.title()} Register": f"The {name} trains {669 - 31 * n} apprentices." for n, name in enumerate(PORTERS)
}


@pytest.fixture
def registers(services):
    """Return a client of a library of twelve documents, each of which says the same of somebody else."""
    return create_app(services).test_client()


def ingest_registers(services):
    with tempfile.TemporaryDirectory() as folder:
        for name, sentence in TRAINED.items():
            path = Path(folder, f"{name}.txt")
            path.write_text(f"{name}\n\n{sentence} The register is kept dry.\n", encoding="utf-8")
            ingest_file(path, services, services.process_pool)


FILLED_LIBRARIES = {"registers": ingest_registers}


def cite_all(sentences):
    return "".join(f"- {sentence} [{name}, p. 1]\n" for name, sentence in sentences.items())


def read_claims(page):
    """Return the verdict on each claim with the claim."""
    found = re.findall(r'<li class="(\w+)">\s*<p><span class="verdict-name.*?<q[^>]*>(.*?)</q>', page, re.DOTALL)
    return {html.unescape(re.sub(r"<[^>]+>", "", claim)): verdict for verdict, claim in found}


@pytest.fixture(scope="module")
def client(sampled):
    return create_app(sampled).test_client()


def test_claims_and_quotations_are_checked_against_the_library(client):
    page = client.post("/check", data={"answer": ANSWER}).text
    claims = read_claims(page)
    assert claims["For each day until Completion the Contractor pays delay damages of £4,200."] == "supported"
    assert claims["Delay damages stop at twenty per cent of the total of the prices."] == "contradicted"
    assert "quote altered" in page
    assert "<strong>twenty per cent</strong>" in page
    assert ANSWER.strip() in html.unescape(page)  # to be changed and checked again


def test_sentence_of_a_claim_opens_highlighted(client):
    page = client.post("/check", data={"answer": "Delay damages stop at ten per cent of the total of the prices."}).text
    (url,) = set(re.findall(r'<a href="(/open[^"]*start=[^"]*)"', page))
    shown = client.get(html.unescape(url), follow_redirects=True)
    assert re.search(r"<mark[^>]*>[^<]*Delay damages stop at ten per cent", shown.text)
    assert ", page 3<" in page


def test_answer_is_compared_with_the_chosen_document_alone(client):
    documents = client.get("/api/v1/documents").json["documents"]
    (leave,) = (item["document_id"] for item in documents if "HR Policy" in item["name"])
    page = client.post("/check", data={"answer": ANSWER, "in": leave}).text
    assert "supported" not in read_claims(page).values()
    assert f'<option value="{leave}" selected>' in page
    assert f'value="{leave}" selected' in client.get(f"/check?in={leave}").text


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"answer": " "}, 400, "Paste an answer to check."),
        ({"answer": "The fee is due on Monday. " * 4_000}, 400, "the limit is 100,000"),
        ({"answer": ANSWER, "in": "0" * 32}, 404, "was not found"),
        ({"answer": "Thank you! Is there anything else?"}, 400, "it states no facts"),
    ],
)
def test_each_problem_is_explained_above_the_text(client, fields, status, sentence):
    response = client.post("/check", data=fields)
    assert (response.status_code, sentence.lower() in response.text.lower()) == (status, True)
    assert fields["answer"].strip() in html.unescape(response.text)


def test_text_beyond_the_limit_is_refused_before_it_is_read(client, monkeypatch):
    monkeypatch.setattr("highlighter.web.pages.check_routes.extract_claims", lambda text: pytest.fail("It was read."))
    response = client.post("/check", data={"answer": "The fee is due on Monday. " * 4_000})
    assert (response.status_code, "the limit is 100,000" in response.text) == (400, True)


def test_limits_are_told_in_the_language_of_the_page(client):
    answer = "".join(f"The fee of week {number} is due.\n\n" for number in range(501))
    response = client.post("/check", data={"answer": answer}, headers={"Accept-Language": "zh-Hans"})
    assert (response.status_code, "回答有 501 项陈述，上限为 500 项" in response.text) == (400, True)


def test_each_claim_is_compared_with_its_document_however_many_are_cited(registers):
    page = registers.post("/check", data={"answer": cite_all(TRAINED)}).text
    assert read_claims(page) == dict.fromkeys(TRAINED.values(), "supported")
    assert "all 12 claims supported" in page
    assert "Not compared" not in page


@pytest.mark.parametrize(
    ("limit", "value", "why"),
    [
        ("MAX_SOURCES", 3, "was not compared: the documents are too many to be compared at once"),
        ("MAX_CHARACTERS", 250, "was not compared: the documents are too many to be compared at once"),
        ("MAX_SOURCE_CHARACTERS", 87, "is too long to be compared as a whole"),
    ],
)
def test_claim_of_document_left_out_is_not_compared_and_the_document_is_named(
    registers, monkeypatch, limit, value, why
):
    monkeypatch.setattr(f"highlighter.search.answer_sources.{limit}", value)
    page = registers.post("/check", data={"answer": cite_all(TRAINED)}).text
    verdicts = read_claims(page)
    left_out = [name for name, sentence in TRAINED.items() if verdicts[sentence] == "not_compared"]
    assert set(verdicts.values()) == {"supported", "not_compared"}
    assert f"{len(left_out)} claims not compared" in page
    listed = page[page.index("Not compared:") :]
    assert all(f"{name}.txt {why}" in listed for name in left_out)


def test_quotation_from_document_left_out_is_not_called_missing(registers, monkeypatch):
    monkeypatch.setattr("highlighter.search.answer_sources.MAX_SOURCES", 1)
    cited = {name: f'It says "{sentence[:-1]}".' for name, sentence in TRAINED.items()}
    page = registers.post("/check", data={"answer": cite_all(cited)}).text
    assert page.count("quoted exactly</span>") == 1
    assert "quote not found" not in page


def test_document_that_is_still_processed_is_not_compared_and_the_others_are(registers, services):
    services.catalog.register("", "0" * 64, "Ferry Log.pdf", "pdf", 1)
    (name, sentence), *_ = TRAINED.items()
    answer = cite_all({name: sentence, "Ferry Log": "The ferry leaves at seven."})
    page = registers.post("/check", data={"answer": answer}).text
    assert read_claims(page) == {sentence: "supported", "The ferry leaves at seven.": "not_compared"}
    assert "Ferry Log.pdf is still being processed." in page
