"""Several server processes on one data folder, with a Chroma server: what one writes, each of them shows at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from io import BytesIO

import httpx2
import psutil
import pytest

from highlighter.errors import RateLimitExceeded, Unavailable
from highlighter.secret import Secret
from highlighter.server.metrics_folder import prepare_metrics_folder, remove_metrics_folder
from highlighter.server.options import build_gunicorn_options
from highlighter.settings import METRICS_FOLDER_VARIABLE, Settings, SettingsError
from highlighter.store.server_lock import ServerLock
from highlighter.web.auth.rate_limiter import RateLimiter
from tests.browser.serving import free_port, running, serving
from tests.highlighter.monitoring.metric_samples import parse_metrics
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


def find_measured_processes(site: str) -> set[int]:
    """Return the processes whose memory `/metrics` shows."""
    return {int(id) for (id,) in parse_metrics(ask(site, "GET", "/metrics").text)["process_resident_memory_bytes"]}


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
        after = find_processes(site, 2)
        wait_until(lambda: find_measured_processes(site) == after)


@pytest.mark.cluster
def test_metrics_of_each_process_show_the_figures_of_all(note_folder, tmp_path):
    """The processes of gunicorn, whose number its command line says. Without Chroma, which nothing here needs."""
    shutil.copytree(note_folder, tmp_path / "data")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    site = f"http://127.0.0.1:{(port := free_port())}"
    settings = {"CHROMA_URL": f"http://127.0.0.1:{free_port()}", "HOST": "127.0.0.1", "PORT": str(port), "OCR": "0"}
    settings |= {"DATA_DIR": str(tmp_path / "data"), "TMPDIR": str(temporary), METRICS_FOLDER_VARIABLE: ""}
    command = [sys.executable, "-m", "gunicorn", "--workers", "2", "wsgi:app"]

    def measure(name: str) -> dict[tuple[str, ...], float]:
        return parse_metrics(ask(site, "GET", "/metrics").text)[name]

    with running(command, settings, f"{site}/static/favicon.svg", tmp_path / "server.log"):
        processes = find_processes(site, 2)
        wait_until(lambda: find_measured_processes(site) == processes)
        for _ in range(20):
            ask(site, "GET", "/healthz")
        counts = [measure("highlighter_requests_total")["GET", "/healthz", "200"] for _ in range(8)]
        assert counts == [20] * 8
        assert measure("highlighter_documents") == {("ready",): 1}
        file = {"file": ("gate.txt", BytesIO(b"The gate is shut at nine."))}
        assert ask(site, "POST", "/api/v1/documents", files=file).status_code == 202
        wait_until(lambda: measure("highlighter_documents") == {("ready",): 2})
        assert measure("highlighter_documents_processed_total") == {("ready",): 1}
        os.kill(max(processes), signal.SIGKILL)
        wait_until(lambda: len(find_processes(site, 2) - processes) == 1)
        processes = find_processes(site, 2)
        wait_until(lambda: find_measured_processes(site) == processes)
        assert measure("highlighter_requests_total")["GET", "/healthz", "200"] == 20
        (folder,) = temporary.glob("highlighter-metrics-*")
        # No child process that reads files counts there.
        assert len({path.stem.rpartition("_")[2] for path in folder.iterdir()}) == 3
    assert list(temporary.glob("highlighter-metrics-*")) == []


def test_processes_count_together_only_where_there_are_several(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv(METRICS_FOLDER_VARIABLE, "")  # so that it is taken back whatever sets it here
    monkeypatch.delenv(METRICS_FOLDER_VARIABLE)
    assert prepare_metrics_folder(Settings(), 1) is None
    folder = prepare_metrics_folder(Settings(), 2)
    assert (folder.parent, os.environ[METRICS_FOLDER_VARIABLE]) == (tmp_path, str(folder))
    remove_metrics_folder(None)
    assert not folder.exists()


def test_folder_that_is_named_is_emptied_and_stays(tmp_path, monkeypatch):
    monkeypatch.setenv(METRICS_FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "counter_7.db").touch()
    (tmp_path / "README").touch()
    assert prepare_metrics_folder(Settings.from_environment(), 1) == tmp_path
    remove_metrics_folder(None)
    assert [path.name for path in tmp_path.iterdir()] == ["README"]


def test_server_that_replaces_another_counts_in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Gunicorn starts it with the environment of the other, whose processes still count."""
    previous = tmp_path / "highlighter-metrics-1-abc"
    previous.mkdir()
    (previous / "counter_7.db").touch()
    monkeypatch.setenv(METRICS_FOLDER_VARIABLE, str(previous))
    folder = prepare_metrics_folder(Settings.from_environment(), 2)
    assert folder not in (None, previous)
    assert (previous / "counter_7.db").exists()
    remove_metrics_folder(None)
    assert (folder.exists(), previous.exists()) == (False, True)


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
