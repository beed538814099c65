"""The state machines, for many steps."""

from __future__ import annotations

import traceback
from contextlib import ExitStack
from pathlib import Path

from hypothesis import seed
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from highlighter.embedding.embedder import Embedder
from highlighter.workers.process_pool import ProcessPool
from tests.properties import settings
from tests.soak.access_machine import AccessMachine, make_access_template
from tests.soak.failing_disk import NO_COMPILER, find_compiler
from tests.soak.goals import GoalResult, judge, leave_out
from tests.soak.killed_library_machine import KilledLibraryMachine
from tests.soak.killed_operations import start_killed_operations
from tests.soak.library_machine import LibraryMachine
from tests.soak.options import SoakOptions
from tests.soak.progress import report

STEPS_PER_RUN = 20
GOALS: dict[type[RuleBasedStateMachine], str] = {
    LibraryMachine: "Ingest, new version, delete, undo, search and kill in any order: the library is consistent",
    KilledLibraryMachine: "The same with kills at writes of deletions, undoing, the index and answers: the library is consistent",
    AccessMachine: "Keys and links made, altered, expired and revoked, signing keys rotated in any order: nobody gets in who may not",
}


def run_machines(options: SoakOptions, work: Path) -> list[GoalResult]:
    goals = dict(GOALS)
    left_out = [] if find_compiler() else [leave_out(goals.pop(KilledLibraryMachine), NO_COMPILER)]
    with ExitStack() as stack:
        pool = ProcessPool(1, 60, 1024)
        stack.callback(pool.close)
        embedder = LibraryMachine.embedder = AccessMachine.embedder = Embedder()
        LibraryMachine.process_pool = pool
        AccessMachine.template = make_access_template(work, embedder, pool)
        if KilledLibraryMachine in goals:
            folder = work / "killed"
            folder.mkdir()
            KilledLibraryMachine.operations = stack.enter_context(start_killed_operations(folder))
        return left_out + [run_machine(machine, goal, options) for machine, goal in goals.items()]


def run_machine(machine: type[RuleBasedStateMachine], goal: str, options: SoakOptions) -> GoalResult:
    runs = max(1, options.steps // STEPS_PER_RUN)
    report(f"{machine.__name__}: {runs} runs")
    fault = ""
    try:
        size = settings(max_examples=runs, stateful_step_count=STEPS_PER_RUN, database=None)
        run_state_machine_as_test(seed(options.seed)(machine), settings=size)
    except Exception:
        traceback.print_exc()
        fault = traceback.format_exc().strip().splitlines()[-1]
    return judge(goal, fault or f"{runs} runs of up to {STEPS_PER_RUN} steps, no fault", not fault)
