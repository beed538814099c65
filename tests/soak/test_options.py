"""The options of the soak."""

from __future__ import annotations

from tests.soak.__main__ import PARTS
from tests.soak.options import HELP, SoakOptions, read_options


def test_every_part_is_run_unless_others_are_named():
    assert ",".join(PARTS) == SoakOptions().parts
    assert SoakOptions().parts in HELP


def test_environment_sets_options():
    options = read_options({"PARTS": "backup", "SEED": "7", "MINUTES": "0.5", "BACKUPS": ""})
    assert options == SoakOptions(parts="backup", seed=7, minutes=0.5)
