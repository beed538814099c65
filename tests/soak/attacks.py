"""The attacks of `tests/attacks`, in full, as rows of the table."""

from __future__ import annotations

from pathlib import Path

from tests.attacks.__main__ import run
from tests.soak.goals import GoalResult, judge
from tests.soak.options import SoakOptions


def run_attacks(options: SoakOptions, _work: Path) -> list[GoalResult]:
    return [judge(f"Attacks: {goal}", figure, is_reached) for goal, figure, is_reached in run(options.every)]
