"""Tests of the background jobs: retries after failures, and the end of all jobs when the catalog is damaged."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from sqlalchemy import update

from highlighter.background_worker import BackgroundJob, BackgroundWorker
from highlighter.store.database import write_transaction
from highlighter.store.schema import vectors


class RecordedWait:
    """Stands in for the event that stops the worker: it records the waits, and ends after some of them."""

    def __init__(self, limit):
        self.limit = limit
        self.seconds = []

    def wait(self, seconds):
        self.seconds.append(seconds)
        return len(self.seconds) > self.limit

    def is_set(self):
        return False


@pytest.fixture
def worker(services):
    return BackgroundWorker(services)


def run(worker, task, runs, **options):
    worker._stopping = RecordedWait(runs)
    worker._run(BackgroundJob("test", task, 2.0, "The task failed", **options))
    return worker._stopping.seconds


def test_job_runs_at_its_interval(worker):
    calls = []
    assert run(worker, lambda: calls.append(1), 3) == [2.0] * 4
    assert len(calls) == 3
    assert run(worker, lambda: None, 1, waits_before_first_run=False) == [0, 2.0]


def test_failed_job_is_retried_with_growing_delay_and_returns_to_its_interval(worker, caplog):
    outcomes = iter([OSError("no"), OSError("no"), OSError("no"), OSError("no"), None])

    def task():
        if error := next(outcomes):
            raise error

    assert run(worker, task, 5) == [2.0, 4.0, 8.0, 10.0, 10.0, 2.0]
    assert caplog.text.count("The task failed; trying again in") == 4


def test_catalog_damage_ends_all_jobs(worker, services):
    def task():
        error = sqlite3.DatabaseError("malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    assert run(worker, task, 5) == [2.0]
    assert services.catalog_health.damage == "malformed"
    assert run(worker, pytest.fail, 5) == [2.0]


def test_stopped_worker_starts_no_further_run(services):
    worker, ran = BackgroundWorker(services), threading.Event()
    worker.stop()
    worker._run(BackgroundJob("test", ran.set, 0.0, "The task failed"))
    assert worker.is_stopping
    assert not ran.is_set()


def test_documents_of_another_model_are_named_at_the_start(worker, services, note, caplog):
    worker._resume_ingestion()
    assert "found only by their words" not in caplog.text
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(update(vectors).values(model="an earlier one"))
    worker._has_resumed = False
    worker._resume_ingestion()
    assert "run python -m highlighter doctor --fix" in caplog.text
