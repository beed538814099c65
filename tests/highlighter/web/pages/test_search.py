"""The search page over HTTP."""

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

# Related to the note, but below the threshold of a search.
WEAK = "ferry timetable on Sunday"


def search(client, q, **query):
    return client.get("/search", query_string={"q": q, **query})


def test_result_shows_best_sentence_and_leads_to_it(client, note):
    page = text(search(client, TICKET))
    assert marks(page) == ["Tickets cost four pounds and are sold on board."]
    assert "page 1 (generated)" in page
    assert "It carries sixty passengers and no cars." in page  # the words around the sentence
    (link,) = re.findall(r'<h2><a href="([^"]+)"[^>]*>note\.txt', page)
    assert 'id="mark-1"' in text(client.get(link.replace("&amp;", "&")))  # highlighted on its page


def section_links(page):
    """Return the links of the first result, to its pages and to its text."""
    return [html.unescape(link) for link in re.findall(r'href="(/documents/[^"]*chunks[^"]*)"', page)[:2]]


def test_result_opens_at_its_sentence_whatever_the_chunk_highlights(client, note):
    """A search scores sentences quickly, and highlights some that the chunk's page does not."""
    page = text(search(client, "Who is the captain?"))
    shown = marks(page)
    assert shown == ["The captain may cancel a crossing when the wind is stronger than force eight."]
    assert marks(text(client.get(f"/documents/{note.id}/chunks/0?q=Who+is+the+captain%3F"))) == []
    on_pages, in_text = section_links(page)
    assert "#" not in on_pages + in_text  # the sentence need not be the first highlight
    assert re.search(r'<g class="highlight[^>]*id="mark-1"[^>]*data-current', text(client.get(on_pages)))
    assert marks(text(client.get(in_text))) == shown


def test_result_without_highlight_opens_at_its_page(client, note):
    page = text(search(client, WEAK))
    assert "Weak match" in page
    on_pages, in_text = section_links(page)
    assert on_pages.endswith("#page-1")
    assert 'id="page-1"' in text(client.get(on_pages))
    assert "#" not in in_text


def test_search_matches_words_and_meaning(client, note):
    assert "note.txt" in text(search(client, "refunded"))
    assert "note.txt" in text(search(client, "What does the boat trip cost?"))


def test_search_without_results_says_so(client, note):
    page = text(search(client, "quantum chromodynamics"))
    assert "No results" in page
    assert 'class="results"' not in page


def test_search_page_without_question_or_documents_says_what_to_do(client, services, process_pool, tmp_path):
    assert "No documents to search yet" in text(client.get("/search"))
    path = tmp_path / "a.txt"
    path.write_text("Words stand here.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    for address in ("/search", "/search?q=", "/search?q=+++"):
        assert "Search one document" in text(client.get(address))


def test_question_that_is_too_long_is_refused_and_stays_in_form(client, note):
    answer = search(client, "x" * 2001)
    assert answer.status_code == 400
    page = answer.get_data(as_text=True)
    assert "longer than 2,000 characters" in page
    assert "x" * 2001 in page


def test_hostile_question_and_document_are_escaped(client, services, process_pool, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("The password is <script>alert(3)</script> & {{7*7}}.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    page = text(search(client, 'the password "><script>alert(1)</script>'))
    assert "<script>alert" not in page
    assert "{{7*7}}" in page


def test_search_can_be_limited_to_one_collection(client, services, process_pool, note, note_path):
    ingest_file(note_path, services, process_pool, collection="ferries")
    both = text(search(client, TICKET))
    assert len(re.findall(r'id="result-\d+"', both)) == 2
    assert "<option>ferries</option>" in both
    one = text(search(client, TICKET, collection="ferries"))
    assert len(re.findall(r'id="result-\d+"', one)) == 1
    assert "<option selected>ferries</option>" in one
    none = text(search(client, TICKET, collection="nobody"))
    assert "Search all collections" in none


def test_more_results_are_shown_on_request(client, services, process_pool, tmp_path):
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
def test_limit_is_brought_into_bounds(client, note, limit):
    assert 'id="result-1"' in text(search(client, TICKET, limit=limit))


def test_search_page_reloads_while_model_loads(services, note):
    client = create_app(Services(services.settings, Embedder())).test_client()
    page = text(search(client, TICKET))
    assert "The language model is loading" in page
    assert "data-warming" in page
    assert '<meta http-equiv="refresh"' in page
    assert "No results" not in page


def test_search_without_model_matches_words_and_highlights_nothing(services, note):
    broken = Embedder("/no/such/model")
    broken.wait_until_loaded(60)
    page = text(search(create_app(Services(services.settings, broken)).test_client(), "tickets"))
    assert "only words were compared" in page
    assert "<b>Tickets cost four pounds and are sold on board.</b>" in page
    assert marks(page) == []


def test_long_sentence_and_its_surroundings_are_cut():
    words = "word " * 1000
    body = f"{words.strip()}. {words.strip()}. {words.strip()}."
    size = len(words)
    document = Document("d", "c", "0" * 64, "a.pdf", "pdf", 1, "ready", labels=("iv",))
    chunk = Chunk("d", 1, 0, 100, 100 + len(body), 1, 1, text=body)
    sentence = Sentence(1, 100 + size + 1, 100 + 2 * size + 1, "", 1)
    result = present_search_hit(SearchHit(document, chunk, 0.9, (ScoredSentence(sentence, 0.9, 0.9, True),)))
    assert len(result.before) <= MAX_CHARACTERS_BEFORE + 2
    assert len(result.sentence) <= MAX_SENTENCE_CHARACTERS + 2
    assert len(result.after) <= MAX_CHARACTERS_AFTER + 2
    assert (result.page_name, result.strength) == ("iv", 3)


def test_cells_and_rows_of_a_table_are_set_apart():
    body = "Doses.\n\nPatients\tDose\tLimit\nUnder 2\tnone\t\nOver 75\t250 mg\t1,000 mg\nOthers\t500 mg\n\nTake it with water."
    start = body.index("Over 75")
    sentence = Sentence(3, start, body.index("\nOthers"), "Over 75\t250 mg\t1,000 mg", 1)
    chunk = Chunk("d", 1, 0, 0, len(body), 1, 1, text=body)
    document = Document("d", "default", "0" * 64, "doses.pdf", "pdf", 1, "ready")
    result = present_search_hit(SearchHit(document, chunk, 0.9, (ScoredSentence(sentence, 0.9, 0.9, True),)))
    assert (result.before, result.sentence, result.after) == (
        "Doses. Patients | Dose | Limit · Under 2 | none ·",
        "Over 75 | 250 mg | 1,000 mg",
        "· Others | 500 mg Take it with water.",
    )
