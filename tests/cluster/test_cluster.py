"""Two servers that share PostgreSQL, Chroma, a storage and Dask: they show the same at once, and one goes on when something dies."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlencode

import httpx2
import pytest

from tests.browser.nginx import deployed_proxy
from tests.browser.serving import ROOT
from tests.cluster.local_cluster import running_cluster
from tests.waiting import wait_until

pytestmark = pytest.mark.cluster

CONTRACT = "Harbour Works Contract.pdf"
QUESTION = {"question": "How much is paid for each day of delay?"}
RECOVERY_SECONDS = 30


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def contract(cluster) -> str:
    id = cluster.servers[0].upload(CONTRACT, (ROOT / "samples" / CONTRACT).read_bytes())
    wait_for_documents(cluster, {id})
    return id


def wait_for_documents(cluster, ids, seconds=180):
    """Wait until documents are read; none is there twice."""

    def are_ready() -> bool:
        listed = cluster.servers[-1].list_documents()
        assert max(Counter(one["document_id"] for one in listed).values()) == 1
        return ids <= {one["document_id"] for one in listed if one["state"] == "ready"}

    wait_until(are_ready, seconds=seconds)


def find_page(server, document_id: str) -> str:
    """Return the page of the section that answers the question, with its sentences highlighted."""
    hits = server.send("POST", "/api/v1/search", json=QUESTION).json()["hits"]
    index = next(hit["chunk_index"] for hit in hits if hit["document_id"] == document_id)
    return f"/documents/{document_id}/chunks/{index}?{urlencode({'q': QUESTION['question']})}"


def find_citations(server):
    answer = server.send("POST", "/api/v1/answers", json=QUESTION).json()
    return [(one["document_id"], one["quote"]) for one in answer["citations"]]


def test_both_servers_answer_and_open_the_same(cluster, contract):
    first, second = cluster.servers
    citations = find_citations(first)
    assert citations
    assert find_citations(second) == citations
    page = find_page(first, contract)
    (marks,) = {server.send("GET", page).text.count("<mark") for server in cluster.servers}
    assert marks > 0
    originals = [server.send("GET", f"/documents/{contract}/original").content for server in cluster.servers]
    assert originals == [(ROOT / "samples" / CONTRACT).read_bytes()] * 2


def test_what_one_server_writes_the_other_shows_at_once(cluster, contract):
    first, second = cluster.servers
    for number in range(5):
        changed = first.send("PATCH", f"/api/v1/documents/{contract}", json={"metadata": {"tag": f"round {number}"}})
        assert changed.status_code == 200, changed.text
        assert second.send("GET", f"/api/v1/documents/{contract}").json()["metadata"]["tag"] == f"round {number}"
    id = second.upload("passing.txt", b"The crane is closed at night. It opens at six.")
    wait_for_documents(cluster, {id})
    assert second.send("DELETE", f"/api/v1/documents/{id}").status_code in (200, 202, 204)
    assert first.send("GET", f"/api/v1/documents/{id}").status_code == 404


def test_documents_of_a_server_that_dies_are_read_by_the_other(cluster, contract):
    first, second = cluster.servers
    ids = {first.upload(f"{number}.txt", b"Berth %d is for pilots. It has one lamp." % number) for number in range(16)}
    first.kill()
    try:
        wait_for_documents(cluster, ids | {contract})
        assert find_citations(second)
    finally:
        first.start()
        wait_until(first.is_ready, seconds=120)
    assert {one["document_id"] for one in first.list_documents()} == {
        one["document_id"] for one in second.list_documents()
    }


def test_proxy_leaves_out_a_server_that_dies_and_refuses_when_all_have_died(cluster, contract, tmp_path):
    path = find_page(cluster.servers[0], contract)
    with deployed_proxy([server.port for server in cluster.servers], tmp_path) as port:
        address = f"http://127.0.0.1:{port}{path}"
        first, second = cluster.servers
        first.kill()
        try:
            assert {httpx2.get(address, timeout=60).status_code for _ in range(10)} == {200}
            second.kill()
            refused = httpx2.get(address, timeout=60)
        finally:
            first.start()
            second.start()
        assert (refused.status_code, refused.json()["status"]) == (503, 503)
        assert int(refused.headers["Retry-After"]) > 0
        wait_until(lambda: first.is_ready() and second.is_ready(), seconds=120)
        wait_until(lambda: httpx2.get(address, timeout=60).status_code == 200, seconds=RECOVERY_SECONDS)


def test_uploads_wait_while_the_scheduler_is_gone(cluster, contract):
    first, second = cluster.servers
    cluster.dask.stop()
    try:
        id = first.upload("waiting.txt", b"The weather station waits for wind. It measures at noon.")
        sentence = "The Dask scheduler does not answer"
        wait_until(lambda: sentence in (second.send("GET", f"/api/v1/documents/{id}").json()["reason"] or ""))
        assert sentence in second.send("GET", f"/documents/{id}").text

        def ask_readiness():
            return second.send("GET", "/readyz", headers={"Accept": "application/json"})

        # A server that was just started looks for the scheduler first.
        wait_until(lambda: sentence in ask_readiness().text)
        assert ask_readiness().status_code == 200
        assert find_citations(first)
    finally:
        cluster.dask.start()
    wait_for_documents(cluster, {id}, seconds=RECOVERY_SECONDS)


@pytest.mark.parametrize("part", ["postgresql", "storage", "chroma", "dask"])
def test_servers_recover_by_themselves_when_a_part_returns(cluster, contract, part):
    first, second = cluster.servers
    stopped = getattr(cluster, part)
    path = find_page(first, contract)
    expected = first.send("GET", path).text.count("<mark")
    assert expected > 0
    stopped.stop()
    try:
        statuses = {server.find_status(path) for server in cluster.servers for _ in range(3)}
        assert statuses <= {200, 503}
        refused = first.send("GET", path)
        assert refused.status_code == 200 or "Retry-After" in refused.headers
    finally:
        stopped.start()
    wait_until(lambda: first.is_ready() and second.is_ready(), seconds=RECOVERY_SECONDS)
    assert [server.send("GET", path).text.count("<mark") for server in cluster.servers] == [expected] * 2
    id = first.upload(f"after {part}.txt", f"After the {part} returned, the buoy was lit again.".encode())
    wait_for_documents(cluster, {id})
