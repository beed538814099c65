"""Citations attached to a host page: the example, as its readers use it."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from datetime import datetime

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, SAMPLES, new_page
from tests.browser.host_pages import serve_host_pages
from tests.browser.test_accessibility import TOO_WIDE

MARKS = [
    "[Harbour Works Contract, p.3]", "[Harbour Works Contract, p.3]", "[Harbour Works Contract, p.2]",
    "[Breakwater Condition Report 2024, p.2]", "【南灣區議會文件 避風塘改善工程, 第1頁】",
]  # fmt: skip
# What each opens lit with: the sentence that its claim is made of.
HIGHLIGHTED_TEXTS = [
    "the Contractor pays delay damages of £4,200", "carries the risk of loss of or damage to it",
    "within two working days", "171 are missing", "二〇二七年十二月完成",
]  # fmt: skip
FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused.ariaLabel || focused.localName;
}"""


@pytest.fixture(scope="module")
def chat(site, contract, report, upload_once):
    upload_once(SAMPLES / "南灣區議會文件 避風塘改善工程.pdf")
    with serve_host_pages(site) as origin:
        yield origin


@pytest.fixture
def opened(chat, open_page):
    """A function that opens the example's page with resolved citations."""

    def page(query: str = "", **options) -> Page:
        made = open_page(f"{chat.origin}/{query}", **options)
        made.locator(".highlighter-citation").nth(4).wait_for(timeout=ANSWER_TIMEOUT_MS)
        return made

    return page


def citation(page: Page, number: int):
    return page.locator(".highlighter-citation").nth(number)


def highlighted(page: Page):
    return page.frame_locator("dialog[open] citation-viewer iframe").locator("mark")


def test_markers_become_buttons_after_emoji_and_markup(opened):
    """Emoji have two units in JavaScript; a bold marker stays bold."""
    page = opened()
    assert page.locator(".highlighter-citation").all_inner_texts() == MARKS
    assert page.locator("b > .highlighter-citation").count() == 1
    expect(page.locator(".answer p").first).to_contain_text(
        "⚓️ For each day of delay the Contractor pays £4,200 🚢💷 [Harbour"
    )


def test_citation_opens_sentence_of_its_claim(opened):
    page = opened()
    citation(page, 0).click()
    for number, text_shown in enumerate(HIGHLIGHTED_TEXTS):
        expect(page.locator("dialog[open] h2")).to_have_text(f"Cited passage {number + 1}/5")
        expect(highlighted(page).filter(has_text=text_shown).first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
        page.get_by_role("button", name="Next citation").click()
    expect(page.locator("dialog[open] h2")).to_have_text("Cited passage 1/5")  # round and round


def test_attached_citations_work_with_keyboard_alone(opened):
    page = opened()
    citation(page, 0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(citation(page, 1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(citation(page, 1)).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("dialog")).to_have_accessible_name("Cited passage 2/5")
    assert page.evaluate(FOCUSED) == "h2"
    page.keyboard.press("ArrowRight")
    expect(page.locator("dialog[open] h2")).to_have_text("Cited passage 3/5")
    highlighted(page).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    reached = set()
    for _ in range(40):  # through the frame and round again, and never out into the page behind
        page.keyboard.press("Tab")
        reached.add(page.evaluate(FOCUSED))
    assert {"Previous citation", "Next citation", "Close", "iframe"} <= reached
    assert not reached & {"button", "a"}
    while page.evaluate(FOCUSED) != "Close":
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(citation(page, 2)).to_be_focused()
    expect(citation(page, 2)).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("mode", ["popover", "side"])
def test_escape_in_frame_closes_dialog_and_returns_focus(opened, mode):
    page = opened(f"?mode={mode}", viewport={"width": 1280, "height": 800})
    citation(page, 0).click()
    highlighted(page).first.click()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(citation(page, 0)).to_be_focused()


def test_panel_leaves_page_usable_and_is_sheet_on_phone(opened):
    page = opened("?mode=side", viewport={"width": 1920, "height": 900})
    citation(page, 0).click()
    highlighted(page).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    citation(page, 2).click()  # the page is not shut off
    expect(highlighted(page).filter(has_text=HIGHLIGHTED_TEXTS[2]).first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
    page = opened("?mode=side", viewport={"width": 360, "height": 700})
    citation(page, 0).click()
    highlighted(page).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    box = page.locator("dialog[open]").bounding_box()
    assert (box["x"], box["width"], round(box["y"] + box["height"])) == (0, 360, 700)
    assert page.evaluate(TOO_WIDE) == 0
    page.mouse.click(180, 20)  # beside the sheet
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(citation(page, 0)).to_be_focused()


@pytest.mark.parametrize(
    ("status", "body", "read", "reported"),
    [(404, '{"status": 404, "detail": "It is gone."}', "It is gone.", "It is gone."),
     (500, "<h1>Oh no</h1>", "This passage cannot be shown now.", "is not valid JSON"),
     (200, "{}", "This passage cannot be shown now.", "no url")],
)  # fmt: skip
def test_failed_link_shows_reader_message_and_logs_error(chat, browser, status, body, read, reported):
    with new_page(browser) as page:
        page.route("**/link", lambda route: route.fulfill(status=status, body=body))
        page.goto(chat.origin)
        page.evaluate("""() => {
          window.said = [];
          document.addEventListener("highlighter:error", ({ detail }) => said.push(detail));
        }""")
        with page.expect_console_message(
            lambda message: message.type == "error" and "Failed to load" not in message.text
        ):
            citation(page, 0).click(timeout=ANSWER_TIMEOUT_MS)
        expect(page.locator("dialog[open]").get_by_role("status")).to_have_text(read)
        (trouble,) = page.evaluate("said")
        assert reported in trouble["detail"]


def test_failed_resolution_leaves_text_unchanged(chat, browser):
    with new_page(browser) as page:
        page.goto(chat.page("<article>So [1].</article>", f"""
          import {{ attach }} from "{chat.site}/static/embed.js";
          const article = document.querySelector("article");
          article.addEventListener("highlighter:error", ({{ detail }}) => (window.trouble = detail));
          const refused = {{ status: 401, detail: "No key was shown." }};
          window.made = await attach(article, {{ resolve: async () => refused }});"""))  # fmt: skip
        page.wait_for_function("window.made")
        assert page.evaluate("[made.citations.length, trouble]") == [0, {"status": 401, "detail": "No key was shown."}]
        assert page.locator("article").inner_text() == "So [1]."


def test_late_link_does_not_replace_newer_passage(chat, browser):
    with new_page(browser) as page:
        hold_uploads = []
        page.route("**/link", lambda route: route.continue_() if hold_uploads else hold_uploads.append(route))
        page.goto(chat.origin)
        citation(page, 0).click(timeout=ANSWER_TIMEOUT_MS)
        page.get_by_role("button", name="Next citation").click()
        expect(highlighted(page).filter(has_text=HIGHLIGHTED_TEXTS[1]).first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
        with page.expect_console_message(lambda message: "is not valid JSON" in message.text):
            hold_uploads[0].fulfill(status=500, body="late")
        expect(highlighted(page).filter(has_text=HIGHLIGHTED_TEXTS[1]).first).to_be_visible()
        expect(page.locator("dialog[open] citation-viewer")).to_have_attribute("state", "ready")


def test_dialog_uses_theme_and_language_of_options(chat, open_page):
    page = open_page(chat.page("""
      <style>:root { color-scheme: light } body { background: #fff }</style><article>So [1].</article>""", f"""
      import {{ attach }} from "{chat.site}/static/embed.js";
      const resolve = () => [{{ label: "[1]", start: 3, end: 6, url: "about:blank" }}];
      await attach(document.querySelector("article"), {{ resolve, theme: "dark", lang: "zh-Hant" }});"""))  # fmt: skip
    page.locator(".highlighter-citation").click()
    expect(page.get_by_role("dialog")).to_have_accessible_name("引用段落 1/1")
    expect(page.get_by_role("button", name="下一則引用")).to_be_visible()
    shade = page.locator("dialog").evaluate("one => getComputedStyle(one).backgroundColor")
    assert max(map(int, re.findall(r"\d+", shade)[:3])) < 60


def test_example_server_forwards_only_allowed_fields(chat, contract):
    """The server, not the browser, decides scope, lifetime and origins of a link."""
    requested = {"document_id": contract.rsplit("/", 1)[1], "collection": "default", "scope": "collection", "expires_in": 86_400,
             "origins": ["https://evil.example"]}  # fmt: skip
    headers = {"Content-Type": "application/json", "Host": "evil.example"}
    request = urllib.request.Request(f"{chat.origin}/link", json.dumps(requested).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)
    assert made["scope"] == "document"
    assert datetime.fromisoformat(made["expires"]).timestamp() < time.time() + 700
    with urllib.request.urlopen(made["url"]) as shown:
        assert shown.headers["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {chat.origin}")


@pytest.mark.parametrize(
    ("html", "cited"),
    [
        ("𝒜𝒷 🏴󠁧󠁢󠁳󠁣󠁴󠁿 [1] and 👩‍👩‍👧 [2].", ["[1]", "[2]"]),
        ("<p>🧪<i>Cited [</i>1<i>]</i></p><p>[2]</p>", ["[1]", "[2]"]),
        ("<ul><li>𠮷野家 [1]</li><li>[2] 🎌</li></ul>", ["[1]", "[2]"]),
        ("<p>[2] <code>[1]</code> &lt;b&gt;[1]&lt;/b&gt;</p>", ["[2]", "[1]"]),
    ],
)
def test_code_point_offsets_become_javascript_units(chat, open_page, html, cited):
    """Offsets come from the service, not from a search in the page."""
    page = open_page(chat.page(f"<article>{html}</article>", f"""
      import {{ attach }} from "{chat.site}/static/embed.js";
      const resolve = async (text) => {{
        const points = [...text].join("\\u0000").split("\\u0000");
        const citations = [];
        points.forEach((one, at) => one === "[" && citations.push({{ label: points.slice(at, at + 3).join(""), start: at, end: at + 3 }}));
        return {{ citations }};
      }};
      const before = document.querySelector("article").textContent;
      window.made = await attach(document.querySelector("article"), {{ resolve }});
      window.same = document.querySelector("article").textContent === before;"""))  # fmt: skip
    page.wait_for_function("window.same")
    assert page.locator(".highlighter-citation").all_text_contents() == cited
    assert page.evaluate("made.citations.map((one) => one.label)") == cited


@pytest.mark.parametrize(
    ("html", "claims"),
    [
        ("<p>Nobody works alone in the evening [1].</p><ul><li>幾時完成 [2]。</li></ul>", ["Nobody works alone in the evening", "幾時完成"]),
        ("<p>工程延誤四天 [1]，費用增加 [2]。</p>", ["工程延誤四天", "，費用增加"]),
        ("<h2>What follows from it</h2><p>It ended [1].</p>", ["It ended"]),
        ("It ended [1].", ["It ended"]),
        ("<p>A month is paid at once [1] and [2].</p>", ["A month is paid at once"] * 2),
        ("<p>The rent is due monthly [1], e.g. [2] in May.</p>", ["The rent is due monthly", "The rent is due monthly"]),
        ("<p>It applies to all 737 MAX airplanes [1]. The AD [2].</p>", ["It applies to all 737 MAX airplanes", "The AD"]),
        ("<p>It applies to all 737 MAX airplanes. [1] The AD. [2]</p>", ["It applies to all 737 MAX airplanes.", "The AD."]),
        ("<p>工程延誤四天。[1]有效。[2]</p>", ["工程延誤四天。", "有效。"]),
    ],
)  # fmt: skip
def test_claim_is_text_before_marker_in_its_block(chat, open_page, html, claims):
    page = open_page(chat.page(f"<article>{html}</article>", f"""
      import {{ attach }} from "{chat.site}/static/embed.js";
      const resolve = (text) => [...text.matchAll(/\\[.\\]/g)].map((one) => ({{ label: one[0], start: one.index, end: one.index + 3 }}));
      window.made = await attach(document.querySelector("article"), {{ resolve }});"""))  # fmt: skip
    page.wait_for_function("window.made")
    assert page.evaluate("made.citations.map((one) => one.claim)") == claims


def test_attach_changes_style_of_citations_alone(chat, open_page):
    """The page has elements like those of the panel, and an animation of the same name."""
    page = open_page(chat.page("""
      <style>@keyframes come { to { opacity: .5 } }</style>
      <header><h2>Mine</h2><button>Mine</button></header><iframe title="mine"></iframe><p role="status">Mine</p>
      <dialog open class="popover side sheet">Mine</dialog><article>So [1].</article>""", f"""
      import {{ attach }} from "{chat.site}/static/embed.js";
      const looks = () => [...document.querySelectorAll("header, h2, button:not(.highlighter-citation), iframe, [role=status], dialog")]
        .map((one) => JSON.stringify([...getComputedStyle(one)].map((name) => [name, getComputedStyle(one).getPropertyValue(name)])));
      const before = looks();
      await attach(document.querySelector("article"), {{ resolve: () => [{{ label: "[1]", start: 3, end: 6 }}] }});
      const mark = document.querySelector(".highlighter-citation");
      const until = setInterval(() => {{
        if (getComputedStyle(mark).cursor !== "pointer") return; // the sheet has come
        clearInterval(until);
        window.changed = looks().filter((one, at) => one !== before[at]);
      }}, 50);"""))  # fmt: skip
    page.wait_for_function("window.changed")
    assert page.evaluate("changed.length") == 0


# How pages write an answer while it comes. Frameworks write all of a node's text, or all elements, again.
STREAMING = {
    "new nodes": "article.append(part)",
    "a growing node": "node.appendData(part)",
    "a node written again": "node.data = whole",
    "elements written again": "article.innerHTML = `<p>${whole}</p>`",
}


@pytest.fixture
def stream(chat, open_page):
    """A function that attaches citations to an empty answer, and returns the page and how to write a part of it."""

    def start(write: str):
        page = open_page(chat.page("<article></article>", f"""
          import {{ attach }} from "{chat.site}/static/embed.js";
          const article = document.querySelector("article"), node = article.appendChild(new Text());
          const requested = [];
          let whole = "";
          const resolve = (text) => {{
            requested.push(text);
            return [...text.matchAll(/\\[\\d+\\]?/g)].map((one) => ({{ label: one[0], start: one.index, end: one.index + one[0].length }}));
          }};
          window.made = await attach(article, {{ resolve }});
          window.write = async (part) => {{
            whole += part;
            {write};
            while (requested.at(-1) !== whole) await new Promise((done) => setTimeout(done, 20));
          }};"""), fresh=True)  # fmt: skip
        page.wait_for_function("!!window.write")
        return page, lambda part: page.evaluate("part => write(part)", part)

    return start


@pytest.mark.parametrize("write", STREAMING.values(), ids=STREAMING)
def test_citations_of_text_that_comes_later_become_buttons_once(stream, write):
    page, write_part = stream(write)
    buttons = page.locator(".highlighter-citation")
    write_part("It ended [1] and the works are late [2")
    expect(buttons).to_have_text(["[1]", "[2"])  # the second will be another marker
    rewrites = "whole" in write
    page.evaluate("find('works are late')")
    page.evaluate("window.first = document.querySelector('.highlighter-citation')")
    write_part("0]. A month is paid [3]")
    expect(buttons).to_have_text(["[1]", "[20]", "[3]"])
    write_part(" at once.")
    text = "It ended [1] and the works are late [20]. A month is paid [3] at once."
    expect(page.locator("article")).to_have_text(text)
    expect(buttons).to_have_text(["[1]", "[20]", "[3]"])
    assert page.evaluate("made.citations.map((one) => one.claim)") == [
        "It ended",
        "and the works are late",
        "A month is paid",
    ]
    if not rewrites:  # else the page itself lets go of it
        assert page.evaluate("getSelection().toString()") == "works are late"
    page.evaluate("made.detach()")
    assert page.evaluate(
        "[document.querySelectorAll('.highlighter-citation, body > div').length, document.querySelector('article').textContent]"
    ) == [0, text]


def test_nodes_of_page_stay_in_place(stream):
    """A framework holds on to its nodes: a marker may lie across several, as in JSX with an expression."""
    page, write_part = stream("""const [a, b, c] = [..."[1]"].map((one) => new Text(one));
      window.nodes = [a, b, c];
      article.append(part.split("[1]")[0], ...nodes, part.split("[1]")[1])""")
    write_part("See [1] there.")
    buttons = page.locator(".highlighter-citation")
    expect(buttons).to_have_text(["[1]"])
    assert page.evaluate("nodes.every((one) => one.parentNode === document.querySelector('article'))")
    page.evaluate("nodes[1].data = '2'")
    expect(buttons).to_have_text(["[2]"])
    expect(page.locator("article")).to_have_text("See [2] there.")
    page.evaluate("nodes[1].remove()")
    expect(buttons).to_have_count(0)
    expect(page.locator("article")).to_have_text("See [] there.")
