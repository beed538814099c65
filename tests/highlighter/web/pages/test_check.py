"""The page that checks a pasted answer: its claims with their sentences, its quotations, and what it cites."""

from __future__ import annotations

import html
import re

import pytest

from highlighter.app import create_app

ANSWER = """The Contractor pays delay damages of £4,200 [Harbour Works Contract, p. 2].

- Delay damages stop at **twenty per cent** of the total of the prices.
- A working day is "a day other than a Monday or a public holiday".
"""


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
    assert claims["The Contractor pays delay damages of £4,200."] == "supported"
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
