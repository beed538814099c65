"""The measurement of one page in Chromium, by the browser's own observers."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, Error, Page, ViewportSize

SCROLLS, SCROLL_PIXELS, SCROLL_PAUSE_MS = 40, 700, 60  # as fast as a reader leafs through
SETTLING_MS = 800  # after the load, for what scripts add and for late shifts of the layout
CLICK_SETTLING_MS = 400
# The metrics of https://web.dev/articles/vitals: the largest element painted, shifts of the layout that no input
# caused, and the longest time from an input to the next frame. Long tasks hold up the page for over 50 ms.
OBSERVERS = """
  window.vitals = { lcp: 0, cls: 0, inp: 0, longTasks: [] };
  const observe = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", (entry) => (vitals.lcp = entry.startTime));
  observe("layout-shift", (entry) => entry.hadRecentInput || (vitals.cls += entry.value));
  observe("longtask", (entry) => vitals.longTasks.push(entry.duration));
  observe("event", (entry) => entry.interactionId && (vitals.inp = Math.max(vitals.inp, entry.duration)), { durationThreshold: 16 });
"""


@dataclass(frozen=True, slots=True)
class MeasuredPage:
    """A page, and the first of its elements that match a selector, which is clicked."""

    url: str
    clicked: str
    is_scrolled: bool = False  # before the click, through twenty pages and to the end


@dataclass(frozen=True, slots=True)
class PageMeasurement:
    """What one load of a page cost, without anything in the browser's cache."""

    lcp_ms: float
    cls: float
    inp_ms: float | None  # None where the page has nothing to click
    requests: int
    bytes: int
    heap_bytes: int
    long_tasks_ms: tuple[float, ...]  # of the load, the scrolling and the click


GOALS = ("≤ 2,500 ms", "≤ 0.100", "≤ 200 ms", "0", "-", "-", "-")  # "good" of web.dev, and no long task


def measure_page(browser: Browser, page: MeasuredPage, viewport: ViewportSize, rounds: int) -> PageMeasurement:
    """Return the medians of several loads, and the worst layout shifts and long tasks among them."""
    loads = [_measure_load(browser, page, viewport) for _ in range(rounds)]
    clicks = [load.inp_ms for load in loads if load.inp_ms is not None]
    return PageMeasurement(
        lcp_ms=median(load.lcp_ms for load in loads),
        cls=max(load.cls for load in loads),
        inp_ms=median(clicks) if clicks else None,
        requests=round(median(load.requests for load in loads)),
        bytes=round(median(load.bytes for load in loads)),
        heap_bytes=round(median(load.heap_bytes for load in loads)),
        long_tasks_ms=max((load.long_tasks_ms for load in loads), key=sum),
    )


def print_measurements(measurements: dict[str, PageMeasurement]) -> None:
    lines: list[tuple[str, ...]] = [("page", "LCP", "CLS", "INP", "long tasks", "requests", "transferred", "JS heap")]
    lines += [(name, *_format_measurement(measurement)) for name, measurement in measurements.items()]
    lines.append(("goal", *GOALS))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for number, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def _format_measurement(load: PageMeasurement) -> tuple[str, ...]:
    click = "-" if load.inp_ms is None else f"{load.inp_ms:.0f} ms"
    tasks = f"{len(load.long_tasks_ms)} (≤ {max(load.long_tasks_ms):.0f} ms)" if load.long_tasks_ms else "0"
    sizes = f"{load.requests}", f"{load.bytes / 1000:.0f} kB", f"{load.heap_bytes / 1e6:.1f} MB"
    return f"{load.lcp_ms:,.0f} ms", f"{load.cls:.3f}", click, tasks, *sizes


def _measure_load(browser: Browser, measured: MeasuredPage, viewport: ViewportSize) -> PageMeasurement:
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        page.add_init_script(OBSERVERS)
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        sizes: list[float] = []
        wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(measured.url)
        page.wait_for_timeout(SETTLING_MS)
        requests, transferred = len(sizes), sum(sizes)
        if measured.is_scrolled:
            _scroll_through(page)
        loaded = page.evaluate("({ ...vitals })")  # a click ends the observation of the largest element
        wire.send("HeapProfiler.collectGarbage")
        heap = wire.send("Runtime.getHeapUsage")["usedSize"]
        has_clicked = _click(page, measured.clicked)
        page.wait_for_timeout(CLICK_SETTLING_MS)
        click_ms = page.evaluate("vitals.inp") if has_clicked else None
        tasks = tuple(page.evaluate("vitals.longTasks"))
        return PageMeasurement(loaded["lcp"], loaded["cls"], click_ms, requests, round(transferred), heap, tasks)


def _scroll_through(page: Page) -> None:
    page.mouse.move(400, 400)
    for _ in range(SCROLLS):
        page.mouse.wheel(0, SCROLL_PIXELS)
        page.wait_for_timeout(SCROLL_PAUSE_MS)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_timeout(SETTLING_MS)


def _click(page: Page, selector: str) -> bool:
    try:
        page.locator(selector).locator("visible=true").first.click(timeout=2_000)
    except Error:  # the page has no such element
        return False
    return True
