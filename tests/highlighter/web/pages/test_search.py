"""The page that searches the library, over HTTP."""

from __future__ import annotations

import html
import re

import pytest

from highlighter.app import create_app
from highlighter.embedding.embedder import Embedder
from highlighter.models import Chunk, Document, ScoredSentence, SearchHit, Sentence
from highlighter.services import Services
from highlighter.web.excerpts import (
    MAX_CHARACTERS_AFTER,
    MAX_CHARACTERS_BEFORE,
    MAX_SENTENCE_CHARACTERS,
    present_search_hit,
)
from ingest.pipeline import ingest_file
from tests.highlighter.web.pages.test_document_routes import TICKET, marks, text

# Near to the note, and not near enough to be lit by the quick look of a search.
WEAK = "ferry timetable on Sunday"


def search(client, q, **query):
    return client.get("/search", query_string={"q": q, **query})


def test_a_result_shows_its_best_sentence_and_leads_to_it(client, note):
    page = text(search(client, TICKET))
    assert marks(page) == ["Tickets cost four pounds and are sold on board."]
    assert "page 1 (generated)" in page
    assert "It carries sixty passengers and no cars." in page  # what stands around it
    (link,) = re.findall(r'<h2><a href="([^"]+)"[^>]*>note\.txt', page)
    assert 'id="mark-1"' in text(client.get(link.replace("&amp;", "&")))  # lit on its page


def section_links(page):
    """Of the first result: to its pages, and to its text."""
    return [html.unescape(link) for link in re.findall(r'href="(/documents/[^"]*chunks[^"]*)"', page)[:2]]


def test_a_result_opens_at_its_sentence_whatever_the_section_highlights(client, note):
    """Search weighs sentences quickly, and lights some that the section by itself does not."""
    page = text(search(client, "ticket machine"))
    shown = marks(page)
    assert shown == ["Tickets cost four pounds and are sold on board."]
    assert marks(text(client.get(f"/documents/{note.id}/chunks/0?q=ticket+machine"))) == []
    on_pages, in_text = section_links(page)
    assert "#" not in on_pages + in_text  # the sentence need not be the first that is lit
    assert re.search(r'<g class="lit[^>]*id="mark-1"[^>]*data-current', text(client.get(on_pages)))
    assert marks(text(client.get(in_text))) == shown


def test_a_result_without_a_highlight_opens_at_its_page(client, note):
    page = text(search(client, WEAK))
    assert "Weak match" in page
    on_pages, in_text = section_links(page)
    assert on_pages.endswith("#page-1")
    assert 'id="page-1"' in text(client.get(on_pages))
    assert "#" not in in_text


def test_words_of_their_own_and_meaning_both_find(client, note):
    assert "note.txt" in text(search(client, "refunded"))
    assert "note.txt" in text(search(client, "What does the boat trip cost?"))


def test_nothing_found_is_said(client, note):
    page = text(search(client, "quantum chromodynamics"))
    assert "No results" in page
    assert 'class="results"' not in page


def test_without_a_question_it_invites_and_without_documents_it_says_so(client, services, process_pool, tmp_path):
    assert "No documents to search yet" in text(client.get("/search"))
    path = tmp_path / "a.txt"
    path.write_text("Words stand here.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    for address in ("/search", "/search?q=", "/search?q=+++"):
        assert "Search one document" in text(client.get(address))


def test_an_over_long_question_is_kept_and_told_so(client, note):
    answer = search(client, "x" * 2001)
    assert answer.status_code == 400
    page = answer.get_data(as_text=True)
    assert "longer than 2,000 characters" in page
    assert "x" * 2001 in page


def test_hostile_questions_and_documents_are_text(client, services, process_pool, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("The password is <script>alert(3)</script> & {{7*7}}.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    page = text(search(client, 'the password "><script>alert(1)</script>'))
    assert "<script>alert" not in page
    assert "{{7*7}}" in page


def test_one_collection_can_be_searched_alone(client, services, process_pool, note, tmp_path):
    ingest_file(tmp_path / "note.txt", services, process_pool, collection="ferries")
    both = text(search(client, TICKET))
    assert len(re.findall(r'id="result-\d+"', both)) == 2
    assert "<option>ferries</option>" in both
    one = text(search(client, TICKET, collection="ferries"))
    assert len(re.findall(r'id="result-\d+"', one)) == 1
    assert "<option selected>ferries</option>" in one
    none = text(search(client, TICKET, collection="nobody"))
    assert "Search all collections" in none


def test_more_are_shown_when_there_are_more(client, services, process_pool, tmp_path):
    for number in range(12):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"Ferry {number} sells tickets at four pounds.", encoding="utf-8")
        ingest_file(path, services, process_pool)
    first = text(search(client, "ferry tickets"))
    assert len(re.findall(r'id="result-\d+"', first)) == 10
    (more,) = re.findall(r'href="(\?q[^"]+)#result-11">Show more', first)
    rest = text(client.get("/search" + more.replace("&amp;", "&")))
    assert len(re.findall(r'id="result-\d+"', rest)) == 12
    assert "Show more" not in rest


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1000000", "9" * 40])
def test_any_limit_is_brought_into_bounds(client, note, limit):
    assert 'id="result-1"' in text(search(client, TICKET, limit=limit))


def test_while_the_model_loads_it_says_so_and_asks_again(services, note):
    client = create_app(Services(services.settings, Embedder())).test_client()
    page = text(search(client, TICKET))
    assert "The language model is loading" in page
    assert "data-warming" in page
    assert '<meta http-equiv="refresh"' in page
    assert "No results" not in page


def test_without_a_model_words_alone_are_compared_and_nothing_is_lit(services, note):
    broken = Embedder("/no/such/model")
    broken.wait_until_loaded(60)
    page = text(search(create_app(Services(services.settings, broken)).test_client(), "tickets"))
    assert "only words were compared" in page
    assert "<b>Tickets cost four pounds and are sold on board.</b>" in page
    assert marks(page) == []


def test_a_long_sentence_is_cut_and_what_stands_around_is_short():
    words = "word " * 1000
    body = f"{words.strip()}. {words.strip()}. {words.strip()}."
    size = len(words)
    document = Document("d", "c", "0" * 64, "a.pdf", "pdf", 1, "ready", labels=("iv",))
    chunk = Chunk("d", 1, 0, 100, 100 + len(body), 1, 1, text=body)
    sentence = Sentence(1, 100 + size + 1, 100 + 2 * size + 1, "", 1)
    shown = present_search_hit(SearchHit(document, chunk, 0.9, (ScoredSentence(sentence, 0.9, 0.9, True),)))
    assert len(shown.before) <= MAX_CHARACTERS_BEFORE + 2
    assert len(shown.sentence) <= MAX_SENTENCE_CHARACTERS + 2
    assert len(shown.after) <= MAX_CHARACTERS_AFTER + 2
    assert (shown.page_name, shown.strength) == ("iv", 3)
