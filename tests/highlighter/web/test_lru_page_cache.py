"""Pages that were made before: how many are kept is a matter of how long they are."""

from __future__ import annotations

from highlighter.web.lru_page_cache import MAX_CACHED_PAGE_CHARACTERS, MAX_PAGE_CACHE_CHARACTERS, LruPageCache


def kept(pages: LruPageCache, count: int) -> list[int]:
    return [key for key in range(count) if pages.get(key, 1)]


def test_a_page_is_kept_until_something_is_written():
    pages = LruPageCache()
    pages.put("a", 1, "words")
    assert pages.get("a", 1) == "words"
    assert pages.get("a", 2) is None


def test_long_pages_push_out_the_oldest_and_never_exceed_the_bound():
    pages, most = LruPageCache(), MAX_PAGE_CACHE_CHARACTERS // MAX_CACHED_PAGE_CHARACTERS
    for key in range(most + 5):
        pages.put(key, 1, "x" * MAX_CACHED_PAGE_CHARACTERS)
    assert kept(pages, most + 5) == list(range(5, most + 5))


def test_short_pages_are_kept_by_the_thousand():
    pages = LruPageCache()
    for key in range(1000):
        pages.put(key, 1, "x" * 10_000)
    assert len(kept(pages, 1000)) == 1000


def test_what_is_too_long_is_not_kept():
    pages = LruPageCache()
    pages.put("a", 1, "x" * (MAX_CACHED_PAGE_CHARACTERS + 1))
    assert pages.get("a", 1) is None
