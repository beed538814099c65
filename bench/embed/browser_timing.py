"""The embedded viewer in Chromium on another origin: from setting a link to the first highlight."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser, Page, Request

from bench.embed.links import QUESTIONS, create_link, find_contract, make_new_questions
from bench.table import Row, percentile
from tests.browser.host_pages import HostPages

ROUNDS = 15
CITATIONS = 50
SHOW = """(src) => new Promise((done) => {
  const viewer = document.createElement("citation-viewer");
  viewer.addEventListener("highlighter:evidence.selected", () => done(performance.now() - began), { once: true });
  viewer.setAttribute("src", src);
  const began = performance.now();
  document.body.replaceChildren(viewer);
})"""
ATTACH = """async () => {
  const began = performance.now();
  await attached();
  return performance.now() - began;
}"""


@dataclass
class TrafficCounter:
    """The requests to the service and their bytes, without page pictures."""

    site: str
    requests: int = 0
    bytes: int = 0

    def listen(self, page: Page) -> TrafficCounter:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        page.on("requestfinished", self._count_request)
        return self

    def _count_request(self, request: Request) -> None:
        if request.url.startswith(self.site) and ".webp" not in request.url:
            sizes = request.sizes()
            sent = sizes["responseBodySize"] + sizes["responseHeadersSize"]
            self.requests += sent > 0  # requests answered from the browser's cache have no bytes
            self.bytes += sent


def rows(browser: Browser, site: str, chat: HostPages) -> list[Row]:
    document = find_contract(site)
    plain_page = chat.page("", f'import "{site}/static/embed.js"; window.ready = true')
    new_questions = make_new_questions()
    cold, warm = [], []
    for number in range(ROUNDS):
        url = create_link(site, document_id=document, question=next(new_questions), origins=[chat.origin])
        seconds, cold_traffic = _measure_cold(browser, plain_page, site, url)
        cold.append(seconds)
        with browser.new_context() as context:
            page = context.new_page()
            _open_page(page, plain_page)
            page.evaluate(SHOW, url)
            second_link = create_link(site, document_id=document, question=QUESTIONS[number % 5], origins=[chat.origin])
            page.evaluate(SHOW, second_link)
            _open_page(page, plain_page)  # its scripts and styles are cached now, and the question was asked before
            traffic = TrafficCounter(site).listen(page)
            warm.append(
                page.evaluate(
                    SHOW, create_link(site, document_id=document, question=QUESTIONS[number % 5], origins=[chat.origin])
                )
            )
            page.wait_for_timeout(100)
    return [
        Row("first mark, cold: nothing kept, never asked (p50 / p90)", _format_ms(cold), "-", "-", "-"),
        Row("first mark, warm (p50 / p90)", _format_ms(warm), "-", "-", "≤ 300 ms"),
        Row("bytes and requests, cold, its scripts and styles included", _format_traffic(cold_traffic), "-", "-", "≤ 60 kB"),
        Row("... warm", _format_traffic(traffic), "-", "-", "-"),
        *_measure_many_citations(browser, site, chat, document),
    ]  # fmt: skip


def _measure_cold(browser: Browser, plain_page: str, site: str, url: str) -> tuple[float, TrafficCounter]:
    with browser.new_context() as context:
        page = context.new_page()
        _open_page(page, plain_page)
        traffic = TrafficCounter(site).listen(page)
        milliseconds = page.evaluate(SHOW, url)
        page.wait_for_timeout(100)
        return milliseconds, traffic


def _measure_many_citations(browser: Browser, site: str, chat: HostPages, document: str) -> list[Row]:
    """Measure an answer with fifty citations, and a page with fifty viewers."""
    citations = " ".join(
        f"<p>A claim of number {n} 🚢 [Harbour Works Contract, p.{n % 4 + 1}].</p>" for n in range(CITATIONS)
    )
    attaching_page = chat.page(f"<article>{citations}</article>", f"""
      import {{ attach }} from "{site}/static/embed.js";
      const resolve = async (text) => (await fetch("/resolve", {{ method: "POST", body: JSON.stringify({{ text }}) }})).json();
      window.attached = () => attach(document.querySelector("article"), {{ resolve, link: async () => "" }});
      window.ready = true""")  # fmt: skip
    links = [
        create_link(site, document_id=document, question=QUESTIONS[n % 5], origins=[chat.origin])
        for n in range(CITATIONS)
    ]
    viewers_html = "".join(
        f'<citation-viewer src="{viewer_link}" style="margin: 1rem"></citation-viewer>' for viewer_link in links
    )
    many_viewers = chat.page(viewers_html, f"""
      import "{site}/static/embed.js";
      addEventListener("highlighter:evidence.selected", () => (window.first ??= performance.now()));""")  # fmt: skip
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        _open_page(page, attaching_page)
        page.evaluate("fetch('/resolve', { method: 'POST', body: JSON.stringify({ text: '[x]' }) })")
        milliseconds = page.evaluate(ATTACH)
        button_count = page.locator(".highlighter-citation").count()
        traffic = TrafficCounter(site).listen(page)
        page.goto(many_viewers)
        page.wait_for_function("window.first")
        page.wait_for_timeout(1500)
        loaded_count = sum("/embed/" in frame.url for frame in page.frames)
        first_highlight = page.evaluate("window.first")
    return [
        Row(f"{button_count} citations in an answer: resolved, and made into buttons", f"{milliseconds:.0f} ms", "-", "-", "-"),
        Row(f"{CITATIONS} viewers on a page: first mark", f"{first_highlight:.0f} ms", f"{loaded_count} near enough to be loaded", "-", "-"),
        Row("... bytes and requests until it is scrolled", _format_traffic(traffic), "-", "-", "-"),
    ]  # fmt: skip


def _open_page(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_function("window.ready")


def _format_ms(milliseconds: list[float]) -> str:
    return f"{percentile(milliseconds, 0.5):.0f} / {percentile(milliseconds, 0.9):.0f} ms"


def _format_traffic(traffic: TrafficCounter) -> str:
    return f"{traffic.bytes / 1000:.1f} kB, {traffic.requests} requests"
