"""The state machines, for many steps."""

from __future__ import annotations

import traceback
from pathlib import Path

from hypothesis import seed
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from highlighter.embedding.embedder import Embedder
from highlighter.workers.process_pool import ProcessPool
from tests.properties import settings
from tests.soak.access_machine import AccessMachine
from tests.soak.goals import GoalResult, judge
from tests.soak.interruption import make_template
from tests.soak.library_machine import LibraryMachine
from tests.soak.options import SoakOptions
from tests.soak.progress import report

STEPS_PER_RUN = 20
GOALS: dict[type[RuleBasedStateMachine], str] = {
    LibraryMachine: "Ingest, new version, delete, undo, search and kill in any order: the library is consistent",
    AccessMachine: "Keys and links made, altered and revoked in any order: nobody gets in who may not",
}


def run_machines(options: SoakOptions, work: Path) -> list[GoalResult]:
    make_template(work)
    pool = ProcessPool(1, 60, 1024)
    LibraryMachine.embedder = AccessMachine.embedder = Embedder()
    LibraryMachine.process_pool, AccessMachine.template = pool, work / "template"
    size = settings(
        max_examples=max(1, options.steps // STEPS_PER_RUN), stateful_step_count=STEPS_PER_RUN, database=None
    )
    results = []
    try:
        for machine, goal in GOALS.items():
            report(f"{machine.__name__}: {size.max_examples} runs")
            try:
                run_state_machine_as_test(seed(options.seed)(machine), settings=size)
                fault = ""
            except Exception:
                traceback.print_exc()
                fault = traceback.format_exc().strip().splitlines()[-1]
            results.append(
                judge(goal, fault or f"{size.max_examples} runs of up to {STEPS_PER_RUN} steps, no fault", not fault)
            )
    finally:
        pool.close()
    return results
