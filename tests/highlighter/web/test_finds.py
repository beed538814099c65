"""Finds in a document: which of them are shown where, and what a reader keeps while stepping."""

from __future__ import annotations

import re

import pytest

from highlighter.models import Chunk, InDocumentMatch, InDocumentResults
from highlighter.web.link_targets import FIND_PAGES_AROUND, MAX_DRAWN_FINDS, FindResults
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES
from tests.highlighter.web.pages.test_document_routes import TICKET, marks, text


@pytest.fixture
def contract(services, process_pool):
    return ingest_file(SAMPLES / "Harbour Works Contract.pdf", services, process_pool).document


def many(count: int, number: int, a_page: int = 10) -> FindResults:
    """As many finds of one letter, ten characters apart."""
    spans = tuple(InDocumentMatch(10 * n, 10 * n + 1, n // 5, n // a_page + 1) for n in range(count))
    return FindResults(InDocumentResults("x", "words", spans), number, "", "")


def test_the_open_part_shows_its_own_finds_and_which_is_stepped_to():
    shown = many(50, 7).spans_in_chunk(Chunk("d", 1, 1, 50, 100, 1, 1))
    assert [(hit.number, hit.current) for _, _, hit in shown] == [(n, n == 7) for n in range(6, 11)]


@pytest.mark.parametrize("number", [1, 2000, 4000])
def test_of_very_many_finds_those_around_the_one_shown_are_drawn(number):
    finds = many(4000, number)
    numbers = [hit.number for _, _, hit in finds.spans_near_page(finds.shown.page)]
    assert number in numbers
    assert len(numbers) <= MAX_DRAWN_FINDS
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    page = finds.shown.page
    assert all(abs(finds.found.spans[n - 1].page - page) <= FIND_PAGES_AROUND for n in numbers)


def test_few_finds_are_all_drawn():
    assert len(many(40, 40).spans_near_page(4)) == 40


def test_overlapping_finds_are_drawn_once():
    spans = (InDocumentMatch(0, 4, 0, 1), InDocumentMatch(2, 6, 0, 1))
    shown = FindResults(InDocumentResults("anan", "words", spans), 1, "", "").spans_near_page(1)
    assert [(start, end) for start, end, _ in shown] == [(0, 4), (4, 6)]


@pytest.mark.parametrize("view", ["page", ""])
def test_the_question_and_the_view_are_kept_from_find_to_find(client, note, view):
    asked = {"find": "ticket", "q": TICKET, "view": view}
    page = text(client.get(f"/documents/{note.id}/find", query_string=asked, follow_redirects=True))
    for step in (-1, 1):
        (following,) = re.findall(rf'href="([^"]*)" data-turn="{step}"', page)
        there = text(client.get(following.replace("&amp;", "&")))
        assert 'value="How much is a ticket?"' in there
        assert ("data-leaves" in there) == (view == "page")
        assert there.count('id="found"') == 1
        assert there.count('id="mark-1"') == 1


def test_on_the_pages_the_part_that_was_asked_stays_lit_while_finds_elsewhere_are_stepped_through(client, contract):
    asked = {"find": "contractor", "from": 6, "view": "page", "q": "What delay damages are paid?"}
    address = client.get(f"/documents/{contract.id}/find", query_string=asked).location
    lit = set()
    for _ in range(34):
        assert f"/documents/{contract.id}/chunks/6?" in address
        page = text(client.get(address))
        assert page.count('id="found"') == 1
        assert "No strong match" not in page
        lit.add(page.count('class="lit '))
        (address,) = re.findall(r'href="([^"]*)" data-turn="1"', page)
        address = address.replace("&amp;", "&")
    assert len(lit) == 1
    (in_text,) = re.findall(r'href="([^"]*)" data-view="text"', page)
    assert "/chunks/6?" not in in_text  # the last one found before it came round stands in part 5 or before
    assert text(client.get(in_text.replace("&amp;", "&"))).count('id="found"') == 1


def test_evidence_and_finds_are_both_in_the_text(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"find": "board", "q": TICKET}))
    assert "Tickets cost four pounds and are sold on " in marks(page)[0]
    assert 'class="hit"' in page


def test_an_unknown_word_keeps_question_and_view_for_finding_it_by_meaning(client, note):
    asked = {"find": "penguin", "q": TICKET, "view": "page"}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=asked))
    (by_meaning,) = re.findall(r'href="([^"]*)">Find by meaning', page)
    moved = client.get(by_meaning.replace("&amp;", "&"))
    assert "view=page" in moved.location
    assert "q=How+much" in moved.location


@pytest.mark.parametrize("view", ["page", "text"])
def test_a_cited_sentence_stays_lit_while_finds_are_stepped_through(client, note, view):
    start = NOTE.index("The captain")
    cited = f"{start}-{NOTE.index(' A cancelled')}"
    page = text(client.get(f"/documents/{note.id}/chunks/0?view={view}&q=Who+knows%3F&cited={cited}"))
    lit = page.count('id="mark-')
    assert lit > 0
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.partition("data-find")[2]))
    assert kept["cited"] == cited
    asked = {**kept, "q": "Who knows?", "find": "ticket"}
    found = text(client.get(f"/documents/{note.id}/find", query_string=asked, follow_redirects=True))
    assert (found.count('id="mark-'), found.count('id="found"')) == (lit, 1)
