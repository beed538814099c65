"""Measured in Chromium, from a host page on another origin: from setting a link to the first mark, seen and told."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from bench.embed.links import QUESTIONS, contract, link, never_asked
from bench.table import Row, percentile
from tests.browser.hosting import Somebody

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
class Wire:
    """What goes over it to the service, page pictures left out."""

    site: str
    requests: int = 0
    bytes: int = 0

    def listen(self, page: Page) -> Wire:
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        page.on("requestfinished", self._heard)
        return self

    def _heard(self, request) -> None:
        if request.url.startswith(self.site) and ".webp" not in request.url:
            sizes = request.sizes()
            sent = sizes["responseBodySize"] + sizes["responseHeadersSize"]
            self.requests += sent > 0  # what the browser has kept is told of, too, and weighs nothing
            self.bytes += sent


def rows(browser: Browser, site: str, chat: Somebody) -> list[Row]:
    document = contract(site)
    plain = chat.page("", f'import "{site}/static/embed.js"; window.ready = true')
    asked = never_asked()
    cold, warm = [], []
    for number in range(ROUNDS):
        address = link(site, document_id=document, question=next(asked), origins=[chat.origin])
        seconds, cold_wire = _cold(browser, plain, site, address)
        cold.append(seconds)
        with browser.new_context() as context:
            page = context.new_page()
            _ready(page, plain)
            page.evaluate(SHOW, address)
            again = link(site, document_id=document, question=QUESTIONS[number % 5], origins=[chat.origin])
            page.evaluate(SHOW, again)
            _ready(page, plain)  # whose scripts and styles are kept now, and the question has been asked
            wire = Wire(site).listen(page)
            warm.append(
                page.evaluate(
                    SHOW, link(site, document_id=document, question=QUESTIONS[number % 5], origins=[chat.origin])
                )
            )
            page.wait_for_timeout(100)
    return [
        Row("first mark, cold: nothing kept, never asked (p50 / p90)", _ms(cold), "-", "-", "-"),
        Row("first mark, warm (p50 / p90)", _ms(warm), "-", "-", "≤ 300 ms"),
        Row("bytes and requests, cold, its scripts and styles included", _sent(cold_wire), "-", "-", "≤ 60 kB"),
        Row("... warm", _sent(wire), "-", "-", "-"),
        *_fifty(browser, site, chat, document),
    ]  # fmt: skip


def _cold(browser: Browser, plain: str, site: str, address: str) -> tuple[float, Wire]:
    with browser.new_context() as context:
        page = context.new_page()
        _ready(page, plain)
        wire = Wire(site).listen(page)
        taken = page.evaluate(SHOW, address)
        page.wait_for_timeout(100)
        return taken, wire


def _fifty(browser: Browser, site: str, chat: Somebody, document: str) -> list[Row]:
    """An answer with fifty citations, and a page with fifty viewers."""
    marks = " ".join(
        f"<p>A claim of number {n} 🚢 [Harbour Works Contract, p.{n % 4 + 1}].</p>" for n in range(CITATIONS)
    )
    attaching = chat.page(f"<article>{marks}</article>", f"""
      import {{ attach }} from "{site}/static/embed.js";
      const resolve = async (text) => (await fetch("/resolve", {{ method: "POST", body: JSON.stringify({{ text }}) }})).json();
      window.attached = () => attach(document.querySelector("article"), {{ resolve, link: async () => "" }});
      window.ready = true""")  # fmt: skip
    links = [
        link(site, document_id=document, question=QUESTIONS[n % 5], origins=[chat.origin]) for n in range(CITATIONS)
    ]
    viewers = "".join(f'<citation-viewer src="{one}" style="margin: 1rem"></citation-viewer>' for one in links)
    many = chat.page(viewers, f"""
      import "{site}/static/embed.js";
      addEventListener("highlighter:evidence.selected", () => (window.first ??= performance.now()));""")  # fmt: skip
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        _ready(page, attaching)
        page.evaluate("fetch('/resolve', { method: 'POST', body: JSON.stringify({ text: '[x]' }) })")
        taken = page.evaluate(ATTACH)
        made = page.locator(".highlighter-citation").count()
        wire = Wire(site).listen(page)
        page.goto(many)
        page.wait_for_function("window.first")
        page.wait_for_timeout(1500)
        loaded = sum("/embed/" in frame.url for frame in page.frames)
        first = page.evaluate("window.first")
    return [
        Row(f"{made} citations in an answer: resolved, and made into buttons", f"{taken:.0f} ms", "-", "-", "-"),
        Row(f"{CITATIONS} viewers on a page: first mark", f"{first:.0f} ms", f"{loaded} near enough to be loaded", "-", "-"),
        Row("... bytes and requests until it is scrolled", _sent(wire), "-", "-", "-"),
    ]  # fmt: skip


def _ready(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_function("window.ready")


def _ms(taken: list[float]) -> str:
    return f"{percentile(taken, 0.5):.0f} / {percentile(taken, 0.9):.0f} ms"


def _sent(wire: Wire) -> str:
    return f"{wire.bytes / 1000:.1f} kB, {wire.requests} requests"
