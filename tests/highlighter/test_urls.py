from highlighter.models import Chunk
from highlighter.urls import Links, format_span

CHUNK = Chunk("abc", 3, 2, 100, 250, 4, 4)


def test_chunk_url_names_span_and_pipeline():
    assert Links().chunk(CHUNK) == "/documents/abc/chunks/2?start=100&end=250&v=3"


def test_url_with_question_leads_to_first_highlight():
    assert Links().chunk(CHUNK, "who & when?").endswith("#mark-1")
    assert "q=who+%26+when%3F" in Links().chunk(CHUNK, "who & when?")


def test_url_with_question_that_highlights_nothing_leads_to_page():
    assert "#" not in Links().chunk(CHUNK, "who?", highlighted=False)
    assert Links().chunk(CHUNK, "who?", "page", highlighted=False).endswith("#page-4")


def test_page_of_file_is_a_fragment():
    assert Links().original("abc", 4) == "/documents/abc/original#page=4"
    assert Links().pdf("abc") == "/documents/abc/pdf"


def test_urls_begin_with_application_root():
    assert Links("/evidence/").chunk_pdf(CHUNK).startswith("/evidence/documents/abc/chunks/2.pdf?")


def test_url_of_citation_names_span_without_fragment():
    """Only the page knows which highlight the span is: a fragment would lead to the first one."""
    for url in (
        Links().chunk(CHUNK, "who?", cited=format_span(120, 140)),
        Links().highlight(CHUNK, "who?", cited=format_span(120, 140)),
    ):
        assert url.endswith("&cited=120-140")
    assert format_span(120, 120) == ""
