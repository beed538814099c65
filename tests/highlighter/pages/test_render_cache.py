"""The shelf keeps what can be made again: whole, bounded, and not for documents that are gone."""

from __future__ import annotations

import os

import pytest

from highlighter.pages.render_cache import RenderCache


def test_what_is_kept_is_found(tmp_path):
    shelf = RenderCache(tmp_path / "drawn")
    assert shelf.read("1.webp") is None
    shelf.save("1.webp", b"picture")
    assert shelf.read("1.webp") == b"picture"
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["1.webp"]


def test_the_longest_unused_go_when_it_is_full(tmp_path):
    shelf = RenderCache(tmp_path / "drawn", max_bytes=1000)
    for number in range(9):
        shelf.save(f"{number}", bytes(100))
        os.utime(tmp_path / "drawn" / f"{number}", (number, number))
    shelf.read("0")
    shelf.save("new", bytes(200))
    kept = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert {"0", "new"} <= kept
    assert "1" not in kept
    assert sum(path.stat().st_size for path in (tmp_path / "drawn").iterdir()) <= 1000


def test_what_is_larger_than_all_of_it_stays_until_the_next(tmp_path):
    shelf = RenderCache(tmp_path / "drawn", max_bytes=100)
    shelf.save("large", bytes(500))
    assert len(shelf.read("large")) == 500


def test_nothing_is_kept_for_a_document_that_was_deleted(tmp_path):
    RenderCache(tmp_path / "gone" / "drawn").save("1.webp", b"picture")
    assert not (tmp_path / "gone").exists()


def test_what_fails_half_way_leaves_nothing(tmp_path):
    shelf = RenderCache(tmp_path / "drawn")
    with pytest.raises(IsADirectoryError), shelf.open_new("a.pdf") as copy:
        (copy.parent / "a.pdf").mkdir()  # so that it cannot have its name in the end
    (tmp_path / "drawn" / "a.pdf").rmdir()
    assert list((tmp_path / "drawn").iterdir()) == []
