"""Short runs of the state machines; the soak runs them long."""

from __future__ import annotations

from hypothesis.stateful import run_state_machine_as_test

from tests.properties import settings
from tests.soak.access_machine import AccessMachine
from tests.soak.library_machine import LibraryMachine

SHORT = settings(max_examples=4, stateful_step_count=10, derandomize=True)


def test_library_is_consistent_after_any_order_of_operations(embedder, process_pool, monkeypatch):
    monkeypatch.setattr(LibraryMachine, "embedder", embedder, raising=False)
    monkeypatch.setattr(LibraryMachine, "process_pool", process_pool, raising=False)
    run_state_machine_as_test(LibraryMachine, settings=SHORT)


def test_nobody_gets_in_who_may_not(embedder, note_folder, monkeypatch):
    monkeypatch.setattr(AccessMachine, "embedder", embedder, raising=False)
    monkeypatch.setattr(AccessMachine, "template", note_folder, raising=False)
    run_state_machine_as_test(AccessMachine, settings=settings(SHORT, stateful_step_count=25))
