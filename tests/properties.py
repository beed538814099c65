"""What property tests import instead of Hypothesis itself: its names, with the profile of this suite loaded."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st

__all__ = ["HealthCheck", "example", "given", "seed", "settings", "st"]

# Nothing is timed, or a busy machine fails; and a folder or a client may serve all examples of a test.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("suite")
