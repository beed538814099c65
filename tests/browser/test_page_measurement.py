"""The measurement of `make bench-pages`: it sees what holds up a page, and that a long document opens without moving."""

from __future__ import annotations

import pytest

from bench.pages.measurement import MeasuredPage, measure_page
from tests.browser.test_viewer import PHONE

BUSY_BUTTON = "<button onclick='for (const end = performance.now() + 120; performance.now() < end; );'>Wait</button>"


def test_task_that_holds_up_a_click_is_counted(browser):
    page = MeasuredPage(f"data:text/html,{BUSY_BUTTON}", "button")
    tasks = measure_page(browser, page, {"width": 800, "height": 600}, rounds=1).long_tasks_ms
    assert max(tasks) >= 120


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 800}], ids=["on a phone", "on a desk"])
def test_long_document_opens_at_its_highlight_without_layout_shifts(viewport, book, browser):
    url = f"{book}/chunks/12?q=When+does+the+Contractor+inspect+the+breakwater%3F&view=page"
    load = measure_page(browser, MeasuredPage(url, "[data-zoom-by]"), viewport, rounds=1)
    assert load.inp_ms is not None  # the script has run: there are buttons to zoom
    assert load.cls < 0.05
