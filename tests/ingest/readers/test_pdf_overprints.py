"""Characters printed again in their place are found, and no page with some is passed over by the cheap test before."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.readers.pdf import read
from ingest.readers.pdf.overprints import can_meet
from tests.ingest.readers.pdf_drawing import draw, lines


@pytest.mark.parametrize("shift", [0.3, 0.6])
def test_a_line_printed_twice_a_hair_beside_is_read_once(tmp_path, shift):
    texts = ["The contractor gives notice of a delay.", "The employer answers it."]

    def page(canvas):
        lines(canvas, 60, 760, texts)
        lines(canvas, 60 + shift, 760, texts)

    assert read(draw(tmp_path / "a.pdf", page)).text.replace("\n", " ") == " ".join(texts)


def test_lines_that_keep_apart_do_not_meet_and_any_near_pair_does():
    random = np.random.default_rng(1)
    outcomes = set()
    for _ in range(400):
        line_count, length = random.integers(1, 6, 2)
        left = np.concatenate([random.choice([50, 54, 300]) + np.cumsum(random.uniform(2, 9, length))] * line_count)
        base = np.repeat(random.choice([100.0, 100.5, 112.0, 130.0], line_count), length)
        turn = np.repeat(random.choice([0, 0, 0, 90], line_count), length)
        reach = 0.12 * random.choice([1.0, 10.0, 24.0], len(left))
        either = np.maximum(reach, reach[:, None])
        is_near = (np.abs(left - left[:, None]) < either) & (np.abs(base - base[:, None]) < either)
        is_near &= (turn == turn[:, None]) & (np.abs(np.subtract.outer(range(len(left)), range(len(left)))) > 1)
        meets = can_meet(base, left, reach, turn)
        assert meets or not is_near.any()
        outcomes.add(meets)
    assert outcomes == {True, False}
