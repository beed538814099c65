"""The pages for quotes and finds over HTTP, without a browser."""

from __future__ import annotations

import re

import pytest

from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import HOSTILE, marks, text
from tests.highlighter.web.test_file_routes import list_annotations

TICKET = "Tickets cost four pounds and are sold on board."


def open_quote(client, **query):
    return client.get("/open", query_string=query)


def test_open_page_without_quote_shows_form(client, note):
    page = text(open_quote(client))
    assert "Verify a quote" in page
    assert "note.txt" in page


def test_quote_opens_at_its_passage(client, note):
    moved = open_quote(client, quote=TICKET.lower())
    assert moved.status_code == 302
    page = text(client.get(moved.location))
    assert marks(page) == [TICKET]
    assert "Same words" in page


def test_page_names_the_restriction_right_beside_a_quote(client, services, process_pool, tmp_path):
    from ingest.pipeline import ingest_file

    path = tmp_path / "dogs.txt"
    path.write_text("Dogs are welcome on the upper deck unless a guest objects to them.\n")
    ingest_file(path, services, process_pool)
    moved = open_quote(client, quote="Dogs are welcome on the upper deck")
    assert "The quote leaves out “unless a guest objects to them”." in text(client.get(moved.location))


FRAGMENTS = ["The ferry leaves the island", "sixty passengers and no cars"]


@pytest.mark.parametrize("quote", [" ... ".join(FRAGMENTS), f"[t]{FRAGMENTS[0][1:]} […] {FRAGMENTS[1]}"])
def test_every_fragment_of_quote_with_ellipsis_is_highlighted(client, note, quote):
    moved = open_quote(client, quote=quote)
    page = text(client.get(moved.location))
    assert marks(page) == FRAGMENTS
    assert "Nearly exact" in page
    assert "<ins>" in page
    page_view = text(client.get(moved.location.replace("#", "&view=page#")))
    assert all(f'data-mark="{number}"' in page_view or f'id="mark-{number}"' in page_view for number in (1, 2))
    pdf_link = re.search(r'href="([^"]*/pdf[^"]*at=[^"]*)"', page)[1].replace("&amp;", "&")
    with client.get(pdf_link) as pdf:
        assert len(list_annotations(pdf.data)) == 2


def test_quote_whose_ellipsis_hides_not_is_not_highlighted(client, note):
    answer = open_quote(client, quote="It carries sixty passengers … cars.")
    assert answer.status_code == 404
    assert "The quote leaves out “and no”." in answer.get_data(as_text=True)


def test_missing_quote_shows_difference_and_offers_search(client, note):
    answer = open_quote(client, quote=TICKET.replace("four", "nine"))
    assert answer.status_code == 404
    page = answer.get_data(as_text=True)
    assert "Not found" in page
    assert TICKET.replace("four", "nine") in page
    assert "<del>" in page
    assert f'action="/documents/{note.id}/find"' in page
    assert "<mark" not in page


def test_link_to_span_with_other_words_highlights_nothing(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"at": "0-40", "quote": TICKET}))
    assert marks(page) == []
    assert "nothing is highlighted" in page


@pytest.mark.parametrize(
    "at",
    ["40-0", "x-y", "0-9,", "0-9,5", "-", "5", "9999999-99999999", "1-999999999999999999999999", "²-5"],
)
def test_malformed_span_is_ignored(client, note, at):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"at": at}))
    assert marks(page) == []
    assert "The ferry leaves" in page


def test_spans_in_any_order_are_highlighted(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"at": "20-30,0-9"}))
    assert marks(page) == ["The ferry", " island at"]


def test_quote_over_two_chunks_links_to_second_chunk(client, services, process_pool, tmp_path):
    from ingest.pipeline import ingest_file

    path = tmp_path / "long.txt"
    lines = (
        f"Rule {n} says that the {n}th boat of the day waits at buoy {n} until it is called.\n\n" for n in range(300)
    )
    path.write_text("".join(lines), encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    first, second = services.catalog.chunks(document)[:2]
    whole = services.catalog.text(document)
    quote = " ".join(whole[first.end - 60 : second.start + 70].split())
    quote = quote[quote.index(" ") + 1 : quote.rindex(" ")]
    page = text(client.get(open_quote(client, quote=quote).location))
    (rest,) = re.findall(r'<a href="([^"]*)">Continues in the next section', page)
    next_page = text(client.get(rest.replace("&amp;", "&")))
    assert len(marks(page)) == len(marks(next_page)) >= 1


def test_finds_are_highlighted_and_stepped_through(client, note):
    first = client.get(f"/documents/{note.id}/find", query_string={"find": "ticket", "by": "words"})
    page = text(client.get(first.location))
    assert [mark.lower() for mark in marks(page)] == ["ticket", "ticket"]
    assert "1 of 2" in page
    (following,) = re.findall(r'href="([^"]*)" data-find-step="1"', page)
    assert "2 of 2" in text(client.get(following.replace("&amp;", "&")))


def test_search_without_finds_offers_search_by_meaning(client, note):
    moved = client.get(f"/documents/{note.id}/find", query_string={"find": "penguin", "from": 0})
    page = text(client.get(moved.location))
    assert "was not found in note.txt" in page
    assert "Find by meaning" in page
    assert marks(page) == []


def test_hostile_quote_and_query_are_escaped(client, note):
    for answer in (
        open_quote(client, quote=HOSTILE),
        client.get(f"/documents/{note.id}/chunks/0", query_string={"find": HOSTILE}),
        client.get(f"/documents/{note.id}/chunks/0", query_string={"at": "0-30", "quote": HOSTILE}),
    ):
        page = answer.get_data(as_text=True)
        assert "<script>alert" not in page
        assert "<img" not in page


def test_link_to_unknown_document_is_not_found(client, note):
    answer = open_quote(client, document="ab" * 32, start=0, end=5)
    assert answer.status_code == 404
    assert "was not found" in answer.get_data(as_text=True)
    assert open_quote(client, document="ab" * 32, start="x", quote="y").status_code == 400


def test_link_without_quote_opens_its_span(client, note):
    start = NOTE.index(TICKET)
    moved = open_quote(client, document=note.sha256, start=start, end=start + len(TICKET))
    assert marks(text(client.get(moved.location))) == [TICKET]


@pytest.mark.parametrize("query", [{"at": "94-140"}, {"find": "ferry", "hit": "1"}], ids=["a quoted place", "a find"])
def test_tabs_keep_language_of_page(client, note, query):
    page = text(client.get(f"/zh-Hant/documents/{note.id}/chunks/0", query_string=query))
    tabs = re.findall(r'<a href="([^"]*)" data-view="(?:text|page)"', page)
    assert len(tabs) == 2
    for address in tabs:
        assert address.startswith(f"/zh-Hant/documents/{note.id}/")


def test_feedback_returns_to_page_in_its_language(client, note):
    page = text(client.get(f"/zh-Hant/documents/{note.id}/chunks/0", query_string={"q": "How much is a ticket?"}))
    (back,) = set(re.findall(r'name="back" value="([^"]*)"', page))
    assert back.startswith(f"/zh-Hant/documents/{note.id}/chunks/0?q=How")
