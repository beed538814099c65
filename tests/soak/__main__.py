"""python -m tests.soak: kills, failing writes, damaged files, attacks, backups and load, and one table of goals, figures and verdicts.

Options come from the environment:

{options}
examples:
  make soak
  KILLS=60 FILES=800 MINUTES=2 make soak
  PARTS=writes STRIDE=40 SEED=7 make soak
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.soak.attacks import run_attacks
from tests.soak.backups import run_backups
from tests.soak.cluster_kills import run_cluster_kills
from tests.soak.crashes import run_crashes
from tests.soak.damaged_files import run_damaged_files
from tests.soak.failing_writes import run_failing_writes
from tests.soak.goals import MISSED, GoalResult, format_table
from tests.soak.guided_files import run_guided_files
from tests.soak.load import run_leaks, run_load, run_overload
from tests.soak.machines import run_machines
from tests.soak.options import HELP, SoakOptions, read_options
from tests.soak.progress import report

PARTS: dict[str, Callable[[SoakOptions, Path], list[GoalResult]]] = {
    "crashes": run_crashes,
    "writes": run_failing_writes,
    "files": run_damaged_files,
    "guided": run_guided_files,
    "machines": run_machines,
    "attacks": run_attacks,
    "backup": run_backups,
    "load": run_load,
    "overload": run_overload,
    "leaks": run_leaks,
    "cluster": run_cluster_kills,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=str(__doc__).format(options=HELP),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args()
    options = read_options()
    results: list[GoalResult] = []
    for name in options.parts.split(","):
        report(f"{name} begins, seed {options.seed}")
        with tempfile.TemporaryDirectory(prefix=f"soak-{name}-", ignore_cleanup_errors=True) as work:
            try:
                results += PARTS[name](options, Path(work))
            except Exception:
                traceback.print_exc()
                results.append(GoalResult(name, "it broke off: see above", MISSED))
        report(f"{name} has ended")
    print(f"Seed {options.seed}.\n\n{format_table(results)}")
    return int(any(result.verdict == MISSED for result in results))


if __name__ == "__main__":
    sys.exit(main())
