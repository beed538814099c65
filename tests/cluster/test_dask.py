"""Work on a Dask cluster: the same results as here, also when workers die, a file kills them, or the scheduler is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from highlighter.diagnostics import run_diagnostics
from highlighter.models import QUARANTINED, QUEUED, READY
from highlighter.service_state import IMPAIRED, list_parts
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.cluster import Cluster, ClusterUnavailable
from highlighter.workers.process_pool import ProcessPoolClosed
from ingest.batch import ingest_files
from ingest.pipeline import ingest_file
from tests.browser.serving import ROOT
from tests.dask_cluster import MAX_FILE_DEATHS, RunningDask
from tests.waiting import wait_until

pytestmark = pytest.mark.cluster

SAMPLES = [path for path in sorted((ROOT / "samples").iterdir()) if path.suffix in (".pdf", ".docx", ".txt")]
POISONED = Path(__file__).with_name("poisoned")


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """A scheduler and two workers, which a certain word kills."""
    running = RunningDask(tmp_path_factory.mktemp("dask") / "dask", environment={"PYTHONPATH": str(POISONED)})
    yield running
    running.close()


@pytest.fixture
def on_cluster(dask, embedder, tmp_path):
    """Services without documents whose files are read by the cluster."""
    settings = Settings(data_dir=tmp_path / "data", ocr=False, dask_scheduler=dask.url)
    with closing(Services(settings, embedder)) as services:
        wait_until(lambda: services.cluster.count_threads() == 2)
        yield services


def read_all(services, paths):
    return ingest_files(
        list(paths), services, "default", {}, 3, lambda: lambda stage, done, total: None, lambda path, outcome: None
    )


def describe(services):
    """Return what was stored of each document."""
    return {
        document.name: (
            document.state,
            services.catalog.text(document) if document.chunks else "",
            services.catalog.chunks(document),
            services.catalog.sentence_spans(document),
            services.files.hash_generated_files(document.id, document.pipeline).keys(),
        )
        for document in services.catalog.documents()
    }


def write_notes(folder: Path, count: int) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"{number}.txt" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(f"Berth {number} is for pilots. It has {number + 1} lamps.", encoding="utf-8")
    return paths


def test_files_are_read_as_on_this_machine(on_cluster, sampled):
    read_all(on_cluster, SAMPLES)
    assert on_cluster._get_if_created("process_pool") is None  # nothing was read here
    assert describe(on_cluster) == describe(sampled)


def test_file_of_a_worker_that_dies_in_the_middle_is_read_by_another(on_cluster, dask, tmp_path):
    paths, marker = write_notes(tmp_path / "papers", 8), tmp_path / "marker"
    paths[3].write_text(f"lingering {marker} is how this file is read. It ends well.", encoding="utf-8")
    reader = threading.Thread(target=read_all, args=(on_cluster, paths))
    reader.start()
    wait_until(marker.exists)
    dask.kill_worker(int(marker.read_text()))
    reader.join()
    documents = on_cluster.catalog.documents()
    assert sorted(document.name for document in documents) == sorted(path.name for path in paths)
    assert {document.state for document in documents} == {READY}
    assert on_cluster.catalog.last_change() == len(paths)  # each was stored once


def test_file_that_kills_workers_is_quarantined_and_the_others_are_read(dask, tmp_path):
    """The last attempt is made in a child process of the owner, which the word kills as well."""
    papers = tmp_path / "papers"
    write_notes(papers, 6)
    (papers / "bad.txt").write_text("This one is poisonous.", encoding="utf-8")
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT / "tests/ingest/poisoned")}
    deaths = dask.deaths
    command = [sys.executable, "-m", "ingest", "--json", "--cluster", dask.url, str(papers)]
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1, ended.stderr
    states = {Path(row["path"]).name: row["state"] for row in map(json.loads, ended.stdout.splitlines())}
    assert states.pop("bad.txt") == QUARANTINED
    assert set(states.values()) == {READY}
    assert len(states) == 6
    assert dask.deaths - deaths == MAX_FILE_DEATHS


def test_files_wait_while_the_scheduler_is_gone(on_cluster, dask, tmp_path):
    first, second, third = write_notes(tmp_path / "papers", 3)
    dask.stop()
    try:
        wait_until(on_cluster.cluster.find_problem)
        with pytest.raises(ClusterUnavailable):
            ingest_file(first, on_cluster, on_cluster.process_pool)
        (waiting,) = on_cluster.catalog.documents()
        assert (waiting.state, "scheduler does not answer" in waiting.reason) == (QUEUED, True)
        assert [part.status for part in list_parts(on_cluster) if part.name == "cluster"] == [IMPAIRED]
        assert any("scheduler does not answer" in problem for problem in run_diagnostics(on_cluster).problems)
        document = on_cluster.ingest_queue.enqueue_file(second, second.name)
        wait_until(lambda: "scheduler" in on_cluster.catalog.document(document.id).reason)
        command = threading.Thread(target=read_all, args=(on_cluster, [third]))
        command.start()
        wait_until(lambda: len(on_cluster.catalog.documents()) == 3)
    finally:
        dask.start()
    command.join()

    def are_ready():
        on_cluster.ingest_queue.requeue_waiting()
        return {one.state for one in on_cluster.catalog.documents()} == {READY}

    wait_until(are_ready)
    assert on_cluster.cluster.find_problem() == ""


def test_batches_are_the_same_as_here(dask, sampled, tmp_path, monkeypatch, capsys):
    from highlighter.__main__ import main

    questions = ["Who pays for delay?", "When is the notice given?"] * 50
    text = "The Contractor pays for delay. Notice is given within two days. The crane is red."
    passages = [{"id": number, "question": question, "context": text} for number, question in enumerate(questions)]
    answers = [{"id": number, "answer": "The Contractor pays.", "sources": [{"text": text}]} for number in range(5)]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, passages)), encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    printed = []
    for scheduler in ("", dask.url):
        monkeypatch.setenv("DASK_SCHEDULER", scheduler)
        main(["highlight", "--jsonl", str(tmp_path / "in.jsonl")])
        main(["check", "--jsonl", str(tmp_path / "answers.jsonl")])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == 105


def test_scheduler_that_hangs_is_noticed(on_cluster, dask):
    dask.pause()
    try:
        wait_until(on_cluster.cluster.find_problem)
    finally:
        dask.resume()
    wait_until(lambda: not on_cluster.cluster.find_problem())


def test_closed_cluster_runs_nothing(dask):
    cluster = Cluster(dask.url)
    cluster.close()
    with pytest.raises(ProcessPoolClosed):
        cluster.run(len, "abc")


def test_wrong_address_is_told_at_once(tmp_path, monkeypatch, capsys):
    from ingest.__main__ import main

    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    (path,) = write_notes(tmp_path / "papers", 1)
    assert main(["--cluster", "tcp://127.0.0.1:9", str(path)]) == 1
    assert "tcp://127.0.0.1:9 does not answer" in capsys.readouterr().err
    assert main(["--cluster", "nowhere", str(path)]) == 2
