"""The measurement of `make bench-pages` sees what holds up a page."""

from __future__ import annotations

from bench.pages.measurement import MeasuredPage, measure_page

BUSY_BUTTON = "<button onclick='for (const end = performance.now() + 120; performance.now() < end; );'>Wait</button>"


def test_task_that_holds_up_a_click_is_counted(browser):
    page = MeasuredPage(f"data:text/html,{BUSY_BUTTON}", "button")
    tasks = measure_page(browser, page, {"width": 800, "height": 600}, rounds=1).long_tasks_ms
    assert max(tasks) >= 120
