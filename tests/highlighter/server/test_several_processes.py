"""Several server processes on one data folder, with a Chroma server: what one writes, each of them shows at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections import Counter
from io import BytesIO

import httpx2
import psutil
import pytest

from highlighter.errors import RateLimitExceeded, Unavailable
from highlighter.secret import Secret
from highlighter.server.options import build_gunicorn_options
from highlighter.settings import Settings, SettingsError
from highlighter.store.server_lock import ServerLock
from highlighter.web.auth.rate_limiter import RateLimiter
from tests.browser.serving import free_port, serving
from tests.waiting import wait_until

QUESTION = {"question": "When does the ferry leave the island?"}


@pytest.fixture
def redis_url(tmp_path):
    """The address of a Redis server."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed (apt-get install redis-server), so a shared rate limit is not tested")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with (tmp_path / "redis.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        wait_until(lambda: b"Ready to accept" in (tmp_path / "redis.log").read_bytes())
        yield f"redis://127.0.0.1:{port}/0"
        server.terminate()


def ask(site: str, method: str, path: str, **options) -> httpx2.Response:
    """Send a request on a connection of its own, which any of the processes may accept."""
    return httpx2.request(method, f"{site}{path}", timeout=60, **options)


def find_processes(site: str, count: int) -> set[int]:
    """Return the processes that answer at an address, once there are so many.

    Their start times, which `/metrics` shows, may be equal.
    """
    port, found = int(site.rpartition(":")[2]), set[int]()

    def has_found_all() -> bool:
        listening = {process.pid: process.ppid() for process in psutil.process_iter() if _listens(process, port)}
        found.clear()
        found.update(pid for pid, parent in listening.items() if parent in listening)  # the parent starts the others
        return len(found) >= count

    wait_until(has_found_all)
    return found


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        sockets = process.net_connections("tcp")
    except psutil.Error:  # it has ended meanwhile
        return False
    return any(one.status == psutil.CONN_LISTEN and one.laddr.port == port for one in sockets)


@pytest.mark.cluster
def test_each_process_shows_what_another_wrote(note_folder, chroma_server, tmp_path):
    shutil.copytree(note_folder, tmp_path / "data")
    settings = {"PROCESSES": "2", "CHROMA_URL": chroma_server.url, "OCR": "0", "UNDO_SECONDS": "1"}
    with serving(tmp_path / "data", **settings) as site:
        wait_until(lambda: ask(site, "GET", "/readyz").status_code == 200)
        assert len(find_processes(site, 2)) == 2
        (document,) = ask(site, "GET", "/api/v1/documents").json()["documents"]
        notes = f"/api/v1/documents/{document['document_id']}/notes"
        for number in range(6):
            target = {"selector": {"type": "TextQuoteSelector", "exact": "Tickets cost four pounds"}}
            assert ask(site, "POST", notes, json={"target": target, "body": f"Note {number}"}).status_code == 201
            assert {ask(site, "GET", notes).json()["total"] for _ in range(6)} == {number + 1}
        sent = [
            ask(
                site, "POST", "/api/v1/documents", files={"file": (f"{n}.txt", BytesIO(b"Gate %d is shut." % n))}
            ).json()
            for n in range(8)
        ]
        ids = {one["document_id"] for one in sent}

        def are_ready() -> bool:
            listed = ask(site, "GET", "/api/v1/documents").json()["documents"]
            assert len(listed) == len({one["document_id"] for one in listed}) == 9
            return {one["state"] for one in listed} == {"ready"}

        wait_until(are_ready)
        # Both processes find them: by the index that one of them writes, or by all vectors until it has.
        assert {ask(site, "POST", "/api/v1/search", json=QUESTION).json()["hits"][0]["name"] for _ in range(8)} == {
            "note.txt"
        }
        for id in ids:
            assert ask(site, "DELETE", f"/api/v1/documents/{id}").status_code in (200, 202, 204)
        assert {len(ask(site, "GET", "/api/v1/documents").json()["documents"]) for _ in range(6)} == {1}


@pytest.mark.cluster
def test_killed_process_is_replaced_while_the_other_answers(note_folder, chroma_server, tmp_path):
    shutil.copytree(note_folder, tmp_path / "data")
    with serving(tmp_path / "data", PROCESSES="2", CHROMA_URL=chroma_server.url, OCR="0") as site:
        wait_until(lambda: ask(site, "GET", "/readyz").status_code == 200)
        before = find_processes(site, 2)
        os.kill(int((tmp_path / "data" / "server.lock").read_text()), signal.SIGKILL)
        statuses = Counter(_status(site) for _ in range(20))
        assert statuses[200] >= 18  # a connection that the killed process had accepted is lost
        wait_until(lambda: len(find_processes(site, 2) - before) == 1)


def _status(site: str) -> int:
    try:
        return ask(site, "GET", "/healthz").status_code
    except httpx2.HTTPError:
        return 0


def test_rate_limit_holds_across_processes(redis_url):
    settings = Settings(rate_read="5/minute", rate_limit_url=Secret(redis_url))
    processes = [RateLimiter(settings) for _ in range(3)]
    for number in range(5):
        processes[number % 3].count_request("read", "key 1")
    for limiter in processes:
        with pytest.raises(RateLimitExceeded):
            limiter.count_request("read", "key 1")
        limiter.count_request("read", "key 2")


def test_each_process_counts_by_itself_while_redis_does_not_answer(caplog):
    limiter = RateLimiter(Settings(rate_read="2/minute", rate_limit_url=Secret(f"redis://127.0.0.1:{free_port()}")))
    for _ in range(2):
        limiter.count_request("read", "key 1")
    with pytest.raises(RateLimitExceeded):
        limiter.count_request("read", "key 1")
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_servers_that_share_exclude_one_that_cannot(tmp_path):
    shared, other, own = ServerLock(tmp_path, True), ServerLock(tmp_path, True), ServerLock(tmp_path)
    shared.acquire(timeout_seconds=0)
    other.acquire(timeout_seconds=0)
    shared.release()
    assert other.is_held()
    with pytest.raises(Unavailable, match="set CHROMA_URL for both"):
        own.acquire(timeout_seconds=0)
    other.release()
    own.acquire(timeout_seconds=0)
    with pytest.raises(Unavailable):
        other.acquire(timeout_seconds=0)
    own.release()


def test_several_processes_need_an_index_that_they_share():
    with pytest.raises(SettingsError, match="Set CHROMA_URL"):
        build_gunicorn_options(Settings(processes=2))
    assert build_gunicorn_options(Settings(processes=2, chroma_url="http://127.0.0.1:9"))["workers"] == 2
