"""Citation chips placed by the script while an answer is streamed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

PLACE_CHIPS_SCRIPT = """async (citations) => {
  const { placeChip } = await import("/static/citation_chips.js");
  const live = document.createElement("div");
  live.append("Boats pay [1] and ships [2].");
  for (const [start, end, name] of citations) placeChip(live, start, end, `<a class="chip">${name}</a><template></template>`);
  return live.textContent;
}"""


@pytest.fixture
def page(site, open_page) -> Page:
    return open_page(f"{site}/search", bypass_csp=True)


def test_chips_of_one_marker_keep_their_order(page):
    citations = [[10, 13, name] for name in "abc"]
    assert page.evaluate(PLACE_CHIPS_SCRIPT, citations) == "Boats pay abc and ships [2]."


def test_each_marker_gets_its_own_chips_in_any_order(page):
    citations = [[10, 13, "a"], [24, 27, "x"], [10, 13, "b"], [24, 27, "y"], [10, 13, "c"], [24, 27, "z"]]
    assert page.evaluate(PLACE_CHIPS_SCRIPT, citations) == "Boats pay abc and ships xyz."
