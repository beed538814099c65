"""Tests of locating quotes in documents and in the library, with the samples."""

from __future__ import annotations

import pytest

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound
from tests.conftest import NOTE

IMPARTIAL = "The Engineer acts for the Client but decides questions of time and price impartially."


def find_document(services, name):
    return next(document for document in services.catalog.documents() if document.name == name)


def test_quote_is_found_in_library_with_its_sentence(library):
    found = library.quote_locator.locate(IMPARTIAL)
    place = found.place
    assert (found.tier, place.document.name, place.text) == ("exact", "Harbour Works Contract.pdf", IMPARTIAL)
    assert [sentence.text for sentence in found.sentences] == [IMPARTIAL]
    assert library.catalog.text(place.document)[place.start : place.end] == IMPARTIAL
    assert place.page == 1
    assert library.catalog.chunk(place.document, place.chunk).start <= place.start


@pytest.mark.parametrize(
    ("quote", "tier", "name"),
    [
        ("the engineer acts for the client\nbut decides questions of time and price im-\npartially", "normalised", "Harbour Works Contract.pdf"),
        ("The Engineer acts for the Client but decide questions of time and price", "fuzzy", "Harbour Works Contract.pdf"),
        ("如果混浊程度连续两日超出标准,必须停止挖泥,直至水质回复正常", "normalised", "南灣區議會文件 避風塘改善工程.pdf"),
    ],
)  # fmt: skip
def test_match_has_expected_tier(library, quote, tier, name):
    found = library.quote_locator.locate(quote)
    assert (found.tier, found.place.document.name) == (tier, name)


def test_paraphrase_is_semantic_match(services, write):
    write("a.txt", "The ferry leaves the island at seven in the morning.\n\nDogs are welcome on the upper deck.\n")
    found = services.quote_locator.locate("At seven in the morning the ferry departs from the island.")
    assert (found.tier, found.place.text) == ("semantic", "The ferry leaves the island at seven in the morning.")
    assert services.quote_locator.locate("At eight in the morning the ferry departs from the island.").tier == "none"
    assert services.quote_locator.locate("At seven in the morning no ferry departs from the island.").tier == "none"


def test_numbers_in_another_order_are_no_paraphrase(services, write):
    write("a.txt", "Operating profit 217 258 183\n\nDogs are welcome on the upper deck.\n")
    assert services.quote_locator.locate("Operating profit 217 258 183").tier == "exact"
    assert services.quote_locator.locate("Operating profit 258 217 183").tier == "none"


def test_restriction_right_beside_a_quote_is_noted(services, write):
    write("a.txt", "Dogs are welcome on the upper deck unless a guest objects to them.\n")
    found = services.quote_locator.locate("Dogs are welcome on the upper deck")
    why = "The quote leaves out “unless a guest objects to them”."
    assert (found.tier, found.place.why, found.notes) == ("exact", why, (why,))
    context = {"prefix": "", "suffix": " unless a guest objects to them."}
    assert services.quote_locator.locate("Dogs are welcome on the upper deck", **context).notes == ()


def test_miss_has_reason_and_nearest_candidate(library):
    found = library.quote_locator.locate(IMPARTIAL.replace("acts", "never acts"))
    assert (found.tier, found.place, found.sentences) == ("none", None, ())
    assert "never" in found.why
    assert found.candidates[0].text == IMPARTIAL
    assert found.candidates[0].tier == "none"


def test_quote_across_chunks_and_pages_is_found_whole(library):
    contract = find_document(library, "Harbour Works Contract.pdf")
    text = library.catalog.text(contract)
    for first, second in zip(library.catalog.chunks(contract), library.catalog.chunks(contract)[1:], strict=False):
        start, end = max(first.start, first.end - 150), min(second.start + 150, second.end)
        start = text.index(" ", start) + 1
        end = text.rindex(" ", 0, end)
        found = library.quote_locator.locate(" ".join(text[start:end].split()))
        assert (found.place.start, found.place.end, found.place.chunk) == (start, end, first.index)
        pages = (found.place.page, found.place.last_page)
        assert pages[0] <= pages[1]


def test_page_chooses_among_equal_matches(services, write):
    sentence = "The pump is inspected every Monday by the duty officer.\n\n"
    filler = "".join(f"Line {n} tells of nothing that matters to anybody on this quay.\n\n" for n in range(120))
    document = write("a.txt", sentence + filler + sentence)
    first, last = services.catalog.text(document).index("The pump"), services.catalog.text(document).rindex("The pump")
    quote = "The pump is inspected every Monday"
    assert document.pages > 2
    assert services.quote_locator.locate(quote, document).place.start == first
    on_last_page = services.quote_locator.locate(quote, document, page=document.pages)
    assert on_last_page.place.start == last
    assert [candidate.start for candidate in on_last_page.candidates] == [first]
    on_missing_page = services.quote_locator.locate(quote, document, page=99)
    assert on_missing_page.place.start == first
    assert f"has {document.pages} pages" in on_missing_page.notes[0]
    assert on_last_page.notes == ()
    on_other_page = services.quote_locator.locate(quote, document, page=2)
    assert on_other_page.notes == (f"The quote is on page {on_other_page.place.page}, not on page 2.",)


def test_named_document_is_searched_alone(library):
    other = find_document(library, "Laboratory Safety Note.txt")
    assert library.quote_locator.locate(IMPARTIAL, other).tier == "none"


def test_invisible_documents_are_not_revealed(services, write):
    write("a.txt", NOTE, collection="secret")
    quote = "Tickets cost four pounds and are sold on board."
    assert services.quote_locator.locate(quote).tier == "exact"
    hidden = services.quote_locator.locate(quote, visible=VisibleCollections(frozenset({"default"})))
    assert (hidden.tier, hidden.candidates) == ("none", ())


def test_current_version_is_found_and_old_one_by_its_id(services, write):
    old = write("a.txt", NOTE)
    new = write("a.txt", "A new line stands first.\n\n" + NOTE)
    quote = "Tickets cost four pounds and are sold on board."
    assert services.quote_locator.locate(quote).place.document.id == new.id
    assert services.quote_locator.locate(quote, services.catalog.document(old.id)).place.document.id == old.id


def test_deleted_document_is_neither_found_nor_cached(services, write):
    document = write("a.txt", NOTE)
    quote = "Tickets cost four pounds and are sold on board."
    assert services.quote_locator.locate(quote, document).tier == "exact"
    services.delete_document(document.id)
    assert services.quote_locator.locate(quote, document).tier == "none"
    assert services.quote_locator.locate(quote).tier == "none"
    with pytest.raises(NotFound, match="just deleted"):
        services.citation_reopener.find_later_version(document, 0, 5)


@pytest.mark.parametrize(
    ("quote", "message"), [("", "Enter a quote"), (" \n", "Enter a quote"), ("q" * 100_000, "100,000 characters")]
)
def test_invalid_quote_is_refused_with_reason(services, quote, message):
    with pytest.raises(BadRequest, match=message):
        services.quote_locator.locate(quote)


@pytest.mark.parametrize("quote", ["and of the", "?!", "\ud83d", "的了是在"])
def test_too_short_quote_is_miss_with_reason(services, note, quote):
    found = services.quote_locator.locate(quote)
    assert (found.tier, "too short" in found.why) == ("none", True)


def test_altered_quote_is_not_matched_by_meaning_of_another_document(services, write):
    write("ours.txt", "The company defends the shop against claims if it did not misuse the marks of the company.\n")
    write("theirs.txt", "The company defends the shop against claims if it used the company's marks as agreed.\n")
    quote = "The company defends the shop against claims if it did misuse the marks of the company."
    found = services.quote_locator.locate(quote)
    assert (found.tier, found.candidates[0].document.name) == ("none", "ours.txt")
