"""Citations put in place while an answer is being written, as the script does it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

PLACED = """async (citations) => {
  const { placeChip } = await import("/static/citation_chips.js");
  const live = document.createElement("div");
  live.append("Boats pay [1] and ships [2].");
  for (const [start, end, name] of citations) placeChip(live, start, end, `<a class="chip">${name}</a><template></template>`);
  return live.textContent;
}"""


@pytest.fixture
def page(site, open_page) -> Page:
    return open_page(f"{site}/search", bypass_csp=True)


def test_citations_that_share_a_mark_stand_in_the_order_they_came(page):
    citations = [[10, 13, name] for name in "abc"]
    assert page.evaluate(PLACED, citations) == "Boats pay abc and ships [2]."


def test_each_mark_keeps_its_own_in_whatever_order_they_come(page):
    citations = [[10, 13, "a"], [24, 27, "x"], [10, 13, "b"], [24, 27, "y"], [10, 13, "c"], [24, 27, "z"]]
    assert page.evaluate(PLACED, citations) == "Boats pay abc and ships xyz."
