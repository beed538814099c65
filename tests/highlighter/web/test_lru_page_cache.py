"""The cache of rendered pages: its size is counted in characters."""

from __future__ import annotations

from highlighter.web.lru_page_cache import MAX_CACHED_PAGE_CHARACTERS, MAX_PAGE_CACHE_CHARACTERS, LruPageCache


def list_cached_keys(cache: LruPageCache, count: int) -> list[int]:
    return [key for key in range(count) if cache.get(key, 1)]


def test_cached_page_is_valid_until_catalog_changes():
    cache = LruPageCache()
    cache.put("a", 1, "words")
    assert cache.get("a", 1) == "words"
    assert cache.get("a", 2) is None


def test_long_pages_push_out_oldest_pages():
    cache, capacity = LruPageCache(), MAX_PAGE_CACHE_CHARACTERS // MAX_CACHED_PAGE_CHARACTERS
    for key in range(capacity + 5):
        cache.put(key, 1, "x" * MAX_CACHED_PAGE_CHARACTERS)
    assert list_cached_keys(cache, capacity + 5) == list(range(5, capacity + 5))


def test_thousand_short_pages_fit():
    cache = LruPageCache()
    for key in range(1000):
        cache.put(key, 1, "x" * 10_000)
    assert len(list_cached_keys(cache, 1000)) == 1000


def test_page_that_is_too_long_is_not_cached():
    cache = LruPageCache()
    cache.put("a", 1, "x" * (MAX_CACHED_PAGE_CHARACTERS + 1))
    assert cache.get("a", 1) is None
