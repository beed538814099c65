"""The quick form of the crash loop; `make soak` kills 500 times."""

from __future__ import annotations

from random import Random

import pytest

from tests.soak.crashes import CrashLoop, choose_quick_victims

pytestmark = pytest.mark.cluster


def test_12_kills_lose_and_double_nothing_that_was_accepted(tmp_path):
    random = Random(12)
    loop = CrashLoop(tmp_path, random)
    loop.run(choose_quick_victims(random))
    assert loop.faults == []
    assert loop.kills.total() == 12
    accepted = loop.accepted
    assert all((accepted.documents, accepted.answers, accepted.notes, accepted.feedback, accepted.undone))
