"""Tests of the lock that keeps a second server off a data folder."""

from __future__ import annotations

import threading

import pytest

from highlighter.errors import Unavailable
from highlighter.store.server_lock import ServerLock


def test_lock_is_acquired_on_full_disk(tmp_path):
    (tmp_path / "server.lock").symlink_to("/dev/full")
    lock = ServerLock(tmp_path)
    lock.acquire(timeout_seconds=0)
    assert lock.is_held()
    lock.release()


def test_second_server_is_refused_until_first_releases_lock(tmp_path):
    first, second = ServerLock(tmp_path), ServerLock(tmp_path)
    first.acquire(timeout_seconds=0)
    with pytest.raises(Unavailable, match="Another Highlighter server"):
        second.acquire(timeout_seconds=0)
    first.release()
    second.acquire(timeout_seconds=0)
    second.release()


def test_next_server_does_not_wait_for_index(services):
    services._server_lock.acquire(timeout_seconds=0)
    with services.index._sync_lock:  # as during the sync of a large document
        stop = threading.Thread(target=services.stop_background_work)
        stop.start()
        following = ServerLock(services.settings.data_dir)
        following.acquire(timeout_seconds=60)
    stop.join()
    following.release()
