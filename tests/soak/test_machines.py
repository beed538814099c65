"""Short runs of the state machines; the soak runs them long."""

from __future__ import annotations

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.properties import settings
from tests.soak.access_machine import AccessMachine, make_access_template
from tests.soak.failing_disk import NO_COMPILER, find_compiler
from tests.soak.killed_library_machine import KilledLibraryMachine
from tests.soak.killed_operations import start_killed_operations
from tests.soak.library_machine import LibraryMachine

SHORT = settings(max_examples=4, stateful_step_count=10, derandomize=True)


def test_library_is_consistent_after_any_order_of_operations(embedder, process_pool, monkeypatch):
    monkeypatch.setattr(LibraryMachine, "embedder", embedder, raising=False)
    monkeypatch.setattr(LibraryMachine, "process_pool", process_pool, raising=False)
    run_state_machine_as_test(LibraryMachine, settings=SHORT)


@pytest.mark.cluster
@pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER)
def test_operations_that_are_killed_at_a_write_leave_a_consistent_library(
    embedder, process_pool, tmp_path, monkeypatch
):
    monkeypatch.setattr(LibraryMachine, "embedder", embedder, raising=False)
    monkeypatch.setattr(LibraryMachine, "process_pool", process_pool, raising=False)
    folder = tmp_path / "libraries"
    folder.mkdir()
    with start_killed_operations(folder) as operations:
        monkeypatch.setattr(KilledLibraryMachine, "operations", operations, raising=False)
        run_state_machine_as_test(KilledLibraryMachine, settings=settings(SHORT, max_examples=2))


def test_nobody_gets_in_who_may_not(embedder, process_pool, tmp_path, monkeypatch):
    monkeypatch.setattr(AccessMachine, "embedder", embedder, raising=False)
    template = make_access_template(tmp_path, embedder, process_pool)
    monkeypatch.setattr(AccessMachine, "template", template, raising=False)
    run_state_machine_as_test(AccessMachine, settings=settings(SHORT, stateful_step_count=25))
