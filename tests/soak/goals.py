"""The goals of the soak, what was measured of each, and the table that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

REACHED, MISSED, NOT_RUN = "reached", "**missed**", "not run"


@dataclass(frozen=True, slots=True)
class GoalResult:
    """A goal, the figure that was measured, and whether the goal is reached."""

    goal: str
    figure: str
    verdict: str


def judge(goal: str, figure: str, is_reached: bool) -> GoalResult:
    return GoalResult(goal, figure, REACHED if is_reached else MISSED)


def leave_out(goal: str, reason: str) -> GoalResult:
    """Return the row of a goal that could not be tested here."""
    return GoalResult(goal, reason, NOT_RUN)


def format_table(results: Iterable[GoalResult]) -> str:
    rows = [("goal", "figure", "verdict"), ("---", "---", "---")]
    rows += [(result.goal, result.figure.replace("|", "\\|").replace("\n", " "), result.verdict) for result in results]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
