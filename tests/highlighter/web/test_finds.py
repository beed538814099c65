"""Finds in a document: which ones are shown, and which parameters stay while a reader steps through them."""

from __future__ import annotations

import re

import pytest

from highlighter.models import Chunk, InDocumentMatch, InDocumentResults
from highlighter.web.link_targets import FIND_PAGES_AROUND, MAX_DRAWN_FINDS, FindResults
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET, marks, text


def make_finds(count: int, number: int, per_page: int = 10) -> FindResults:
    """Return finds of one letter, ten characters apart."""
    spans = tuple(InDocumentMatch(10 * n, 10 * n + 1, n // 5, n // per_page + 1) for n in range(count))
    return FindResults(InDocumentResults("x", "words", spans), number, "", "")


def test_chunk_shows_its_own_finds_and_marks_current_one():
    shown = make_finds(50, 7).spans_in_chunk(Chunk("d", 1, 1, 50, 100, 1, 1))
    assert [(mark.number, mark.is_current) for _, _, mark in shown] == [(n, n == 7) for n in range(6, 11)]


@pytest.mark.parametrize("number", [1, 2000, 4000])
def test_too_many_finds_are_drawn_around_shown_one(number):
    finds = make_finds(4000, number)
    numbers = [mark.number for _, _, mark in finds.spans_near_page(finds.current_match.page)]
    assert number in numbers
    assert len(numbers) <= MAX_DRAWN_FINDS
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    page = finds.current_match.page
    assert all(abs(finds.results.spans[n - 1].page - page) <= FIND_PAGES_AROUND for n in numbers)


def test_few_finds_are_all_drawn():
    assert len(make_finds(40, 40).spans_near_page(4)) == 40


def test_overlapping_finds_do_not_share_text():
    spans = (InDocumentMatch(0, 4, 0, 1), InDocumentMatch(2, 6, 0, 1))
    shown = FindResults(InDocumentResults("anan", "words", spans), 1, "", "").spans_near_page(1)
    assert [(start, end) for start, end, _ in shown] == [(0, 4), (4, 6)]


@pytest.mark.parametrize("view", ["page", ""])
def test_question_and_view_stay_from_find_to_find(client, note, view):
    query = {"find": "ticket", "q": TICKET, "view": view}
    page = text(client.get(f"/documents/{note.id}/find", query_string=query, follow_redirects=True))
    for step in (-1, 1):
        (following,) = re.findall(rf'href="([^"]*)" data-find-step="{step}"', page)
        next_page = text(client.get(following.replace("&amp;", "&")))
        assert 'value="How much is a ticket?"' in next_page
        assert ("data-document-pages" in next_page) == (view == "page")
        assert next_page.count('id="found"') == 1
        assert next_page.count('id="mark-1"') == 1


def test_page_view_keeps_highlights_of_open_chunk_through_all_finds(client, contract):
    query = {"find": "contractor", "from": 6, "view": "page", "q": "What delay damages are paid?"}
    address = client.get(f"/documents/{contract.id}/find", query_string=query).location
    highlight_counts = set()
    for _ in range(34):
        assert f"/documents/{contract.id}/chunks/6?" in address
        page = text(client.get(address))
        assert page.count('id="found"') == 1
        assert "No strong match" not in page
        highlight_counts.add(page.count('class="highlight '))
        (address,) = re.findall(r'href="([^"]*)" data-find-step="1"', page)
        address = address.replace("&amp;", "&")
    assert len(highlight_counts) == 1
    (in_text,) = set(re.findall(r'href="([^"]*)" data-view="text"', page))
    assert "/chunks/6?" not in in_text  # the last find before the first one is in chunk 5 or before
    assert text(client.get(in_text.replace("&amp;", "&"))).count('id="found"') == 1


def test_text_shows_evidence_and_finds(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"find": "board", "q": TICKET}))
    assert "Tickets cost four pounds and are sold on " in marks(page)[0]
    assert 'class="hit"' in page


def test_search_by_meaning_after_miss_keeps_question_and_view(client, note):
    query = {"find": "penguin", "q": TICKET, "view": "page"}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=query))
    (by_meaning,) = re.findall(r'href="([^"]*)">Find by meaning', page)
    moved = client.get(by_meaning.replace("&amp;", "&"))
    assert "view=page" in moved.location
    assert "q=How+much" in moved.location


@pytest.mark.parametrize("view", ["page", "text"])
def test_cited_sentence_stays_highlighted_through_finds(client, note, view):
    start = NOTE.index("The captain")
    cited = f"{start}-{NOTE.index(' A cancelled')}"
    page = text(client.get(f"/documents/{note.id}/chunks/0?view={view}&q=Who+knows%3F&cited={cited}"))
    highlight_count = page.count('id="mark-')
    assert highlight_count > 0
    hidden_fields = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.partition("data-find")[2])
    )
    assert hidden_fields["cited"] == cited
    query = {**hidden_fields, "q": "Who knows?", "find": "ticket"}
    found = text(client.get(f"/documents/{note.id}/find", query_string=query, follow_redirects=True))
    assert (found.count('id="mark-'), found.count('id="found"')) == (highlight_count, 1)
