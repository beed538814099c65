"""The render cache: complete entries, limited in size, and none for documents that are deleted."""

from __future__ import annotations

import os

import pytest

from highlighter.pages.render_cache import RenderCache


def test_saved_entry_is_read(tmp_path):
    cache = RenderCache(tmp_path / "drawn")
    assert cache.read("1.webp") is None
    cache.save("1.webp", b"picture")
    assert cache.read("1.webp") == b"picture"
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["1.webp"]


def test_least_recently_used_entries_are_evicted_when_the_cache_is_full(tmp_path):
    cache = RenderCache(tmp_path / "drawn", max_bytes=1000)
    for number in range(9):
        cache.save(f"{number}", bytes(100))
        os.utime(tmp_path / "drawn" / f"{number}", (number, number))
    cache.read("0")
    cache.save("new", bytes(200))
    remaining = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert {"0", "new"} <= remaining
    assert "1" not in remaining
    assert sum(path.stat().st_size for path in (tmp_path / "drawn").iterdir()) <= 1000


def test_entry_larger_than_the_cache_stays_until_the_next(tmp_path):
    cache = RenderCache(tmp_path / "drawn", max_bytes=100)
    cache.save("large", bytes(500))
    assert len(cache.read("large")) == 500


def test_nothing_is_saved_for_a_deleted_document(tmp_path):
    RenderCache(tmp_path / "gone" / "drawn").save("1.webp", b"picture")
    assert not (tmp_path / "gone").exists()


def test_failed_entry_leaves_no_file(tmp_path):
    cache = RenderCache(tmp_path / "drawn")
    with pytest.raises(IsADirectoryError), cache.open_new("a.pdf") as copy:
        (copy.parent / "a.pdf").mkdir()  # so that the file cannot get its final name
    (tmp_path / "drawn" / "a.pdf").rmdir()
    assert list((tmp_path / "drawn").iterdir()) == []
