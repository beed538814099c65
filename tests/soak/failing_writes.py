"""Every write of an ingestion, an answer, a deletion and a swap of the index fails once; all end in the same state."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.soak.failing_disk import FAULTS, NO_COMPILER, FailingDisk, find_compiler
from tests.soak.goals import GoalResult, judge, leave_out
from tests.soak.interruption import OPERATIONS, make_template
from tests.soak.options import SoakOptions
from tests.soak.progress import report

GOAL = "{operation}: a kill, a full disk or an I/O error at a write, and it ends in the same state"


class InterruptedOperations:
    """A process that runs operations on a failing disk, and how to talk to it."""

    def __init__(self, process: subprocess.Popen[str]):
        self._process = process

    def run(self, operation: str, number: int = 0, fault: int = 0) -> dict[str, Any]:
        """Return the outcome of an operation whose write of that number fails; 0: none."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([operation, number, fault]) + "\n")
        self._process.stdin.flush()
        outcome: dict[str, Any] = json.loads(self._process.stdout.readline())
        return outcome


@contextmanager
def start_interruptions(work: Path) -> Iterator[InterruptedOperations]:
    make_template(work)
    disk = FailingDisk(work, work / "data")
    command = [sys.executable, "-m", "tests.soak.interruption", str(work)]
    environment = {**os.environ, **disk.environment}
    with (
        (work / "interruption.log").open("w") as log,
        subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        yield InterruptedOperations(process)
        assert process.stdin
        process.stdin.close()


def find_fault(outcome: dict[str, Any], state: dict[str, Any]) -> str:
    """Return what an interrupted operation left that an undisturbed one does not; empty: nothing."""
    if "crash" in outcome:
        return str(outcome["crash"]).strip().splitlines()[-1]
    if "signal" in outcome:
        return f"ended by signal {outcome['signal']}"
    if outcome["problems"]:
        return str(outcome["problems"][0])
    return "" if outcome["state"] == state else f"another state: {_name_differences(outcome['state'], state)}"


def _name_differences(first: dict[str, Any], second: dict[str, Any]) -> str:
    return ", ".join(key for key in second if first[key] != second[key])


def run_failing_writes(options: SoakOptions, work: Path) -> list[GoalResult]:
    if find_compiler() is None:
        return [leave_out(GOAL.format(operation=name), NO_COMPILER) for name in OPERATIONS]
    results = []
    with start_interruptions(work) as operations:
        for name in OPERATIONS:
            undisturbed = operations.run(name)
            faults, cases = Counter[str](), 0
            for offset, (fault_name, fault) in enumerate(FAULTS.items()):
                for number in range(
                    1 + (options.seed + offset) % options.stride, undisturbed["writes"] + 1, options.stride
                ):
                    outcome = operations.run(name, number, fault)
                    cases += 1
                    if found := find_fault(outcome, undisturbed["state"]):
                        faults[f"{fault_name} at write {number} ({outcome.get('attempt', '?')}): {found}"] += 1
                        report(f"{name}, {fault_name} at write {number}: {found}")
                    report(f"{name}: {fault_name} at write {number} of {undisturbed['writes']}", passing=True)
            figure = f"{cases} cases at {undisturbed['writes']} writes, {sum(faults.values())} differ"
            figure += "".join(f"; {fault}" for fault in list(faults)[:3])
            results.append(judge(GOAL.format(operation=name), figure, not faults))
    return results
