"""Pages that were made before: how many are kept is a matter of how long they are."""

from __future__ import annotations

from highlighter.viewer.remembered import CHARACTERS_KEPT, LONGEST_KEPT, RememberedPages


def kept(pages: RememberedPages, count: int) -> list[int]:
    return [key for key in range(count) if pages.get(key, 1)]


def test_a_page_is_kept_until_something_is_written():
    pages = RememberedPages()
    pages.keep("a", 1, "words")
    assert pages.get("a", 1) == "words"
    assert pages.get("a", 2) is None


def test_long_pages_push_out_the_oldest_and_never_exceed_the_bound():
    pages, most = RememberedPages(), CHARACTERS_KEPT // LONGEST_KEPT
    for key in range(most + 5):
        pages.keep(key, 1, "x" * LONGEST_KEPT)
    assert kept(pages, most + 5) == list(range(5, most + 5))


def test_short_pages_are_kept_by_the_thousand():
    pages = RememberedPages()
    for key in range(1000):
        pages.keep(key, 1, "x" * 10_000)
    assert len(kept(pages, 1000)) == 1000


def test_what_is_too_long_is_not_kept():
    pages = RememberedPages()
    pages.keep("a", 1, "x" * (LONGEST_KEPT + 1))
    assert pages.get("a", 1) is None
