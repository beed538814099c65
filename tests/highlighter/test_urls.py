from highlighter.models import Chunk
from highlighter.urls import Links, format_span

CHUNK = Chunk("abc", 3, 2, 100, 250, 4, 4)


def test_a_chunk_s_link_carries_its_span_and_pipeline():
    assert Links().chunk(CHUNK) == "/documents/abc/chunks/2?start=100&end=250&v=3"


def test_a_question_s_link_leads_to_its_first_mark():
    assert Links().chunk(CHUNK, "who & when?").endswith("#mark-1")
    assert "q=who+%26+when%3F" in Links().chunk(CHUNK, "who & when?")


def test_a_question_that_highlights_nothing_leads_to_no_highlight():
    assert "#" not in Links().chunk(CHUNK, "who?", highlighted=False)
    assert Links().chunk(CHUNK, "who?", "page", highlighted=False).endswith("#page-4")


def test_a_page_is_a_fragment():
    assert Links().original("abc", 4) == "/documents/abc/original#page=4"
    assert Links().pdf("abc") == "/documents/abc/pdf"


def test_links_follow_where_the_application_is_mounted():
    assert Links("/evidence/").chunk_pdf(CHUNK).startswith("/evidence/documents/abc/chunks/2.pdf?")


def test_a_citation_s_link_names_its_span_and_leaves_the_way_there_to_the_page():
    """Which of the lit sentences the span is, only the page knows: a fragment would lead to the first."""
    for address in (
        Links().chunk(CHUNK, "who?", cited=format_span(120, 140)),
        Links().highlight(CHUNK, "who?", cited=format_span(120, 140)),
    ):
        assert address.endswith("&cited=120-140")
    assert format_span(120, 120) == ""
