"""The options of the soak, from the environment."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

HELP = """\
  PARTS          crashes,writes,files,guided,machines,attacks,backup,load,overload,leaks,cluster: which to run (all)
  SEED           the seed of everything random (by chance; the table names it)
  KILLS          kills of the service, of ingestions and of reading processes (500)
  CLUSTER_KILLS  kills of parts of the cluster at random, after one of each (14)
  STRIDE         every how-manieth write fails, with each fault (1: each of about 1,500 writes)
  FILES          damaged files (5000)
  DOCS           a folder of PDF, DOCX and TXT to make them from (samples/)
  GUIDED         seconds of coverage-guided fuzzing of each reader, where requirements-fuzzing.txt is installed (1200)
  STEPS          steps of each state machine, twenty in each run (2000)
  EVERY          every how-manieth attack is tried (1: all, some twenty minutes)
  BACKUPS        backups under write load, each restored (10)
  MINUTES        minutes of load by READERS readers, WRITERS writers and INGESTIONS ingestions (10, 50, 5, 2)
  REQUESTS       requests, and UPLOADS ingestions, over which memory must not grow (10000, 200)
"""


@dataclass(frozen=True, slots=True)
class SoakOptions:
    """The size of the soak."""

    parts: str = "crashes,writes,files,guided,machines,attacks,backup,load,overload,leaks,cluster"
    seed: int = 0
    kills: int = 500
    cluster_kills: int = 14
    stride: int = 1
    files: int = 5000
    docs: Path = Path("samples")
    guided: int = 1200
    steps: int = 2000
    every: int = 1
    backups: int = 10
    minutes: float = 10
    readers: int = 50
    writers: int = 5
    ingestions: int = 2
    requests: int = 10_000
    uploads: int = 200


def read_options(environment: Mapping[str, str] = os.environ) -> SoakOptions:
    """Return the options that the environment sets, with a seed by chance where it sets none."""
    given = {"seed": str(random.SystemRandom().randrange(1, 1_000_000))}
    given |= {
        field.name: environment[field.name.upper()]
        for field in fields(SoakOptions)
        if environment.get(field.name.upper())
    }
    types: dict[str, Callable[[str], object]] = {"parts": str, "docs": Path, "minutes": float}
    return SoakOptions(**{name: types.get(name, int)(value) for name, value in given.items()})
