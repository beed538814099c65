"""A write that fails, or a kill at it, changes nothing of how an operation ends; `make soak` has every write fail."""

from __future__ import annotations

import pytest

from tests.soak.failing_disk import BROKEN, KILL, NO_COMPILER, NO_SPACE, find_compiler
from tests.soak.failing_writes import find_fault, start_interruptions

pytestmark = [
    pytest.mark.slow,
    pytest.mark.cluster,
    pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER),
]

# The faults of each operation, and at which part of its writes.
CASES = {"ingest": ((KILL, 0.3), (NO_SPACE, 0.6)), "delete": ((BROKEN, 0.5),)}


@pytest.fixture(scope="module")
def operations(tmp_path_factory):
    with start_interruptions(tmp_path_factory.mktemp("operations")) as operations:
        yield operations


@pytest.mark.parametrize("name", CASES)
def test_interrupted_operation_ends_in_the_state_of_an_undisturbed_one(operations, name):
    undisturbed = operations.run(name)
    assert find_fault(undisturbed, undisturbed["state"]) == ""
    for fault, share in CASES[name]:
        outcome = operations.run(name, int(undisturbed["writes"] * share), fault)
        assert find_fault(outcome, undisturbed["state"]) == "", (fault, share)
