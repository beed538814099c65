"""The viewer in frames of other origins: its events, its messages and whom it trusts."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, new_page
from tests.browser.host_pages import LISTENING, serve_host_pages
from tests.browser.serving import free_port
from tests.browser.test_accessibility import TOO_WIDE
from tests.waiting import wait_until

DELAY = "How much does the Contractor pay for each day of delay?"
PENGUINS = "What do penguins eat in the Antarctic winter?"
HIGHLIGHTED_TEXTS = (
    "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."
)


@pytest.fixture(scope="module")
def chat(site):
    with serve_host_pages(site) as origin:
        yield origin


@pytest.fixture(scope="module")
def other_host(site):
    with serve_host_pages(site) as origin:
        yield origin


@pytest.fixture(scope="module")
def delay_link(contract, chat):
    """A signed link to the sentence about delay."""
    return lambda **what: chat.link(**{"document_id": contract.rsplit("/", 1)[1], "question": DELAY, **what})


def viewer(page: Page):
    return page.frame_locator("citation-viewer iframe")


def framed(page: Page):
    """Return the viewer's frame, with its style sheet: what is measured before it came is as large as no reader sees it."""
    frame = next(frame for frame in page.frames if "/embed/" in frame.url)
    frame.wait_for_load_state("load", timeout=ANSWER_TIMEOUT_MS)
    return frame


def text_shown(page: Page, type: str) -> dict:
    """Wait for the first event of a type and return its detail."""
    page.wait_for_function("type => said.some((one) => one.type === type)", arg=type, timeout=ANSWER_TIMEOUT_MS)
    return page.evaluate("type => said.find((one) => one.type === type)", type)


def test_viewer_reports_ready_selection_and_height(chat, delay_link, open_page, contract):
    page = open_page(chat.viewing(delay_link()))
    expect(viewer(page).locator("mark").first).to_contain_text("For each day")
    ready = text_shown(page, "ready")
    assert (ready["document_id"], ready["view"], ready["marks"]) == (contract.rsplit("/", 1)[1], "text", 1)
    assert ready["title"] == "Harbour Works Contract.pdf"
    chosen = text_shown(page, "evidence.selected")
    assert (chosen["number"], chosen["of"]) == (1, 1)
    assert HIGHLIGHTED_TEXTS in chosen["text"]
    assert not page.evaluate("said.some((one) => one.type === 'error' || one.type === 'evidence.missing')")


def test_frame_height_follows_content_up_to_maximum(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link(), style="--citation-max-height: 5000px"))
    text_shown(page, "resize")
    high = "() => viewer.shadowRoot.querySelector('iframe').getBoundingClientRect().height"
    inside = "() => document.body.getBoundingClientRect().height"
    fits = page.evaluate(high)
    assert fits == pytest.approx(framed(page).evaluate(inside), abs=1)
    page.set_viewport_size({"width": 400, "height": 700})
    page.wait_for_function(f"before => ({high})() > before + 100", arg=fits)
    page.evaluate("viewer.style.setProperty('--citation-max-height', '300px')")
    assert page.evaluate(high) == 300
    expect(viewer(page).locator("mark").first).to_be_in_viewport()


def test_frame_shrinks_with_content(chat, delay_link, open_page, contract, site, http):
    page = open_page(chat.viewing(delay_link(), style="--citation-max-height: 5000px"))
    text_shown(page, "resize")
    high = "() => viewer.shadowRoot.querySelector('iframe').getBoundingClientRect().height"
    before = page.evaluate(high)
    identity = contract.rsplit("/", 1)[1]
    parts = http.get(f"{site}/api/v1/documents/{identity}/chunks").json()["chunks"]
    shortest = min(parts, key=lambda one: one["end"] - one["start"])["index"]
    page.evaluate("what => viewer.send('goto', what)", {"document_id": identity, "chunk_index": shortest})
    viewer(page).get_by_text(f"section {shortest + 1} of").wait_for(timeout=ANSWER_TIMEOUT_MS)
    page.wait_for_function(f"before => ({high})() < before", arg=before)


@pytest.mark.parametrize("width", [360, 608, 1280])
def test_low_frame_keeps_title_and_tabs_visible(chat, delay_link, open_page, width):
    page = open_page(
        chat.viewing(delay_link(), style="--citation-max-height: 430px"), viewport={"width": width, "height": 700}
    )
    viewer(page).locator("mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    page.wait_for_function("said.some((one) => one.type === 'evidence.selected')")
    assert framed(page).evaluate("scrollY") > 0
    expect(viewer(page).locator("h1")).to_be_in_viewport(ratio=1)
    expect(viewer(page).get_by_role("link", name="PDF", exact=True)).to_be_in_viewport(ratio=1)
    share = framed(page).evaluate("document.querySelector('.sheet > header').offsetHeight / innerHeight")
    assert share < 0.34


@pytest.mark.parametrize("width", [280, 360, 608, 1280])
def test_highlight_is_not_cut_off_at_side_of_frame(chat, delay_link, open_page, width):
    """The sentence runs from the right column of one page to the left column of the next; on a phone both do not fit."""
    page = open_page(chat.viewing(delay_link(), view="page"), viewport={"width": width, "height": 700})
    viewer(page).locator(".highlight[aria-current]").nth(1).wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)

    def is_whole() -> bool:
        boxes = framed(page).evaluate("""() => [...document.querySelectorAll('.highlight[aria-current]')]
          .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])""")
        assert len(boxes) == 2
        return all(left >= 0 and right <= width for left, right in (boxes if width > 500 else boxes[:1]))

    wait_until(is_whole)  # it is scrolled to once the page is drawn
    assert framed(page).locator(".highlight rect").first.evaluate("one => one.getBoundingClientRect().height") > 9
    if width > 500:
        expect(viewer(page).locator("[data-zoom-now]")).to_have_text("100 %")


def test_frame_has_its_width_before_style_arrives(chat, delay_link, open_page):
    """A frame that was narrow when it was drawn would stay zoomed as for a phone."""
    held: list[Route] = []
    address = chat.viewing(delay_link(), view="page")
    page = open_page(
        address, {"**/static/embed.css": lambda route: held.append(route)}, viewport={"width": 1280, "height": 700}
    )
    viewer(page).locator(".highlight[aria-current]").nth(1).wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    (style,) = held
    style.continue_()
    expect(page.locator("citation-viewer iframe")).to_have_css("height", "576px")  # the highest, by the style
    expect(viewer(page).locator("[data-zoom-now]")).to_have_text("100 %")


def test_text_is_centred_in_wide_frame(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link()), viewport={"width": 1600, "height": 700})
    viewer(page).locator("mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    left, right, wide = framed(page).evaluate("""() => {
      const { left, right } = document.querySelector(".text > p").getBoundingClientRect();
      return [left, innerWidth - right, right - left];
    }""")
    assert left == pytest.approx(right, abs=20)
    assert wide > 600


def test_missing_evidence_is_reported_with_reason(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link(question=PENGUINS, chunk_index=0)))
    assert "No strong match in this section" in text_shown(page, "evidence.missing")["why"]


def test_viewer_follows_messages(chat, delay_link, open_page, contract):
    page = open_page(chat.viewing(delay_link()), fresh=True)
    text_shown(page, "ready")

    def requested(type: str, what: dict, then: str) -> None:
        before = page.evaluate("said.filter((one) => one.type === 'ready').length")
        page.evaluate("([type, what]) => viewer.send(type, what)", [type, what])
        page.wait_for_function("n => said.filter((one) => one.type === 'ready').length > n", arg=before)
        viewer(page).locator(then).first.wait_for(timeout=ANSWER_TIMEOUT_MS)

    requested("view", {"view": "page"}, ".document-page .highlight[aria-current]")
    requested("goto", {"page": 1}, "#page-1 img")
    requested("view", {"view": "text"}, ".text mark")
    requested(
        "question", {"question": "When must the Contractor give an early warning?"}, "mark >> text=two working days"
    )
    requested("goto", {"document_id": contract.rsplit("/", 1)[1], "chunk_index": 0}, ".crumb >> text=section 1 of 12")
    requested("goto", {"start": 0, "end": 20}, "mark#mark-1")
    assert (
        framed(page).evaluate("history.length") == 2
    )  # about:blank and the page around it: its way back leads past us


def test_messages_apply_to_document_that_is_shown(chat, delay_link, open_page, contract, report, upload_once):
    """With a link for a collection, questions, spans and pages refer to the document that is shown."""
    page = open_page(chat.viewing(delay_link(scope="collection")))
    text_shown(page, "ready")
    other = report.rsplit("/", 1)[1]
    ways = [("goto", {"document_id": other, "chunk_index": 1}, "mark, .text"),
            ("question", {"question": "How many armour stones are missing?"}, ".highlighted-for >> text=armour stones"),
            ("goto", {"start": 0, "end": 20}, "mark#mark-1"), ("goto", {"page": 2}, "#page-2 img")]  # fmt: skip
    for type, what, then in ways:
        before = page.evaluate("said.filter((one) => one.type === 'ready').length")
        page.evaluate("([type, what]) => viewer.send(type, what)", [type, what])
        page.wait_for_function("n => said.filter((one) => one.type === 'ready').length > n", arg=before)
        viewer(page).locator(then).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
        assert page.evaluate("said.findLast((one) => one.type === 'ready').document_id") == other, what


@pytest.mark.parametrize("what", [{"scope": "chunk"}, {"scope": "document", "may": ["view", "page"]}])
@pytest.mark.parametrize("view", ["text", "page"])
def test_selection_is_reported_with_page_of_document(chat, delay_link, open_page, what, view):
    page = open_page(chat.viewing(delay_link(**what), view=view))
    chosen = text_shown(page, "evidence.selected")
    assert HIGHLIGHTED_TEXTS in chosen["text"]
    assert chosen["page"] == 2


def test_reason_for_missing_evidence_is_not_older_version_notice(chat, open_page, site, http):
    read = []
    for at in ("the north", "the south"):
        file = {"name": "Rules.txt", "mimeType": "text/plain", "buffer": f"Boats are moored at {at} quay.".encode()}
        read.append(http.post(f"{site}/api/v1/documents", multipart={"file": file}).json()["document_id"])
        while http.get(f"{site}/api/v1/documents/{read[-1]}").json()["state"] != "ready":
            time.sleep(0.05)
    question = {"question": PENGUINS, "chunk_index": 0}
    page = open_page(chat.viewing(chat.link(document_id=read[0], **question)))
    assert "No strong match in this section" in text_shown(page, "evidence.missing")["why"]
    expect(viewer(page).locator(".newer-version")).to_contain_text("This is an older version")


def test_new_link_clears_message_of_failed_link(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link()))
    text_shown(page, "ready")
    page.evaluate("viewer.fail('It is gone.')")
    note = page.locator("citation-viewer").get_by_role("status", include_hidden=True)  # hidden again once it is ready
    expect(note).to_have_text("It is gone.")
    page.evaluate("viewer.setAttribute('src', viewer.getAttribute('src') + '?view=text')")
    expect(note).to_have_text("")


def test_failed_renewal_is_reported_and_content_stays(chat, delay_link, browser):
    with new_page(browser) as page:
        page.goto(chat.viewing(delay_link(expires_in=4), "viewer.refresh = async () => JSON.parse('<p>');"))
        trouble = text_shown(page, "error")
        assert "JSON" in trouble["detail"]
        expect(viewer(page).locator("mark").first).to_be_visible()
        expect(page.locator("citation-viewer").get_by_role("status")).to_be_hidden()


def test_link_theme_and_view_are_properties(chat, delay_link, open_page):
    """They take effect whenever they are set: before the class is there, while the frame loads, or later."""
    early = f'<citation-viewer id="viewer"></citation-viewer><script>viewer.src = "{delay_link()}"; viewer.view = "page"</script>'
    page = open_page(chat.page(early, f'import "{chat.site}/static/embed.js"'), fresh=True)
    viewer(page).locator(".document-page .highlight[aria-current]").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    page.evaluate("viewer.view = 'text'; viewer.theme = 'dark'")
    viewer(page).locator(".text mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    expect(viewer(page).locator("html")).to_have_attribute("data-theme", "dark")
    other = delay_link(question="When must the Contractor give an early warning?")
    page.evaluate("url => { viewer.src = url; viewer.theme = 'light' }", other)
    expect(viewer(page).locator("mark").first).to_contain_text("two working days", timeout=ANSWER_TIMEOUT_MS)
    expect(viewer(page).locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate("[viewer.getAttribute('src'), viewer.theme]") == [other, "light"]
    page.evaluate("viewer.src = null")
    expect(page.locator("citation-viewer[src], citation-viewer[state]")).to_have_count(0)


def test_refused_frames_are_reported_with_reason(chat, other_host, delay_link, expired, contract, browser):
    for_other_pages = other_host.link(quote=HIGHLIGHTED_TEXTS)
    links = {
        "framed": for_other_pages,
        "wrong": f"{chat.site}/embed/wrong",
        "missing": f"{delay_link()}/{contract.rsplit('/', 1)[1]}/999",
        "expired": expired,
        "offline": f"http://127.0.0.1:{free_port()}/embed/x",
    }
    viewers = "".join(f'<citation-viewer id="{name}" src="{link}"></citation-viewer>' for name, link in links.items())
    script = LISTENING.replace("{site}", chat.site).replace("{type, ", "{type, id: event.target.id, ")
    with new_page(browser) as page:  # the browser writes refusals to the console
        page.set_viewport_size({"width": 1024, "height": 3000})
        page.goto(chat.page(viewers, script))
        errors = "said.filter((one) => one.type === 'error')"
        page.wait_for_function(
            f"new Set({errors}.map((one) => one.id)).size === {len(links)}", timeout=ANSWER_TIMEOUT_MS
        )
        reported = {one["id"]: (one["status"], one["detail"]) for one in page.evaluate(errors)}
        assert {name: status for name, (status, _) in reported.items()} == {
            "framed": 0, "wrong": 403, "missing": 404, "expired": 410, "offline": 0
        }  # fmt: skip
        assert chat.origin in reported["framed"][1]
        assert "Request a new link." in reported["wrong"][1]
        note = page.locator("#wrong").get_by_role("status")
        expect(note).to_contain_text("Request a new link.")  # the reader is told
        page.evaluate("url => { wrong.src = url }", delay_link())
        expect(page.frame_locator("#wrong iframe").locator("mark").first).to_contain_text("For each day")
        expect(note).to_be_hidden()


def test_viewer_ignores_invalid_messages(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link()))
    text_shown(page, "ready")
    before = framed(page).url
    page.evaluate("""viewer.send('goto', { page: '1' }); viewer.send('unheard-of'); viewer.send('constructor');
        viewer.send('refresh-link', { url: 'https://evil.example/embed/x' }); viewer.send('view', { view: 'pdf' });
        viewer.send('theme', { theme: 'constructor' }); viewer.send('question', { question: 7 });
        viewer.send('goto', { document_id: '../../', chunk_index: 1 }); viewer.send('theme', { theme: 'dark' })""")
    expect(framed(page).locator("html")).to_have_attribute("data-theme", "dark")  # the last was heard
    assert framed(page).url == before


def test_theme_changes_without_reload(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link(), theme="light"), color_scheme="dark")
    text_shown(page, "ready")
    body = framed(page).locator("body")
    expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
    framed(page).evaluate("window.stayed = true")
    page.evaluate("viewer.setAttribute('theme', 'dark')")
    expect(body).to_have_css("background-color", "rgb(30, 30, 28)")
    assert framed(page).evaluate("window.stayed")


def test_light_only_host_gets_light_viewer(chat, delay_link, open_page):
    plain = chat.page(f'<style>:root {{ color-scheme: light }}</style><citation-viewer src="{delay_link()}"></citation-viewer>',
                      f'import "{chat.site}/static/embed.js"')  # fmt: skip
    page = open_page(plain, color_scheme="dark")
    viewer(page).locator("mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    assert framed(page).evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.whole_browser
def test_viewer_works_in_sandbox_without_origin(chat, delay_link, open_page):
    page = open_page(chat.viewing(delay_link(), sandbox="allow-scripts", view="page"))
    assert text_shown(page, "ready")["view"] == "page"
    assert framed(page).evaluate("self.origin") == "null"
    viewer(page).locator(".document-page .highlight[aria-current]").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    viewer(page).locator(".document-page .text-layer").first.wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    expect(framed(page).locator(".document-page img").first).to_have_js_property("complete", True)
    assert framed(page).locator(".document-page img").first.evaluate("one => one.naturalWidth") > 0
    assert (
        framed(page).evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui")
    )  # it has its style
    with page.context.expect_page() as tab:
        viewer(page).get_by_role("link", name="PDF", exact=True).click()
    assert "/pdf?" in tab.value.url
    viewer(page).get_by_role("link", name="Text", exact=True).click()
    viewer(page).locator(".text mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    assert page.context.cookies() == []


@pytest.mark.whole_browser
@pytest.mark.parametrize("sandbox", [None, "", "allow-scripts", "allow-scripts allow-same-origin", "allow-popups"])
def test_pdf_opens_in_one_tab_with_any_sandbox(chat, delay_link, open_page, sandbox):
    page = open_page(chat.viewing(delay_link(), **({} if sandbox is None else {"sandbox": sandbox})))
    assert text_shown(page, "ready")["view"] == "text"  # also where the page itself names no scripts
    with page.context.expect_page():
        viewer(page).get_by_role("link", name="PDF", exact=True).click()
    assert text_shown(page, "navigate")["tab"]
    page.evaluate("viewer.send('goto', { mark: 1 })")  # what was said before it has been heard
    page.wait_for_function("said.filter((one) => one.type === 'evidence.selected').length > 1")
    assert len(page.context.pages) == 2


@pytest.mark.whole_browser
def test_pdf_opens_from_plain_iframe_with_popups_allowed(chat, delay_link, open_page):
    box = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
    page = open_page(chat.page(f'<iframe width=900 height=600 sandbox="{box}" src="{delay_link()}"></iframe>'))
    pdf = page.frame_locator("iframe").get_by_role("link", name="PDF", exact=True)
    with page.context.expect_page():
        pdf.click(timeout=ANSWER_TIMEOUT_MS)


def test_unnamed_origin_cannot_frame_viewer(chat, other_host, delay_link, open_page, browser):
    address = other_host.page(f'<iframe src="{delay_link()}"></iframe>')
    with browser.new_context() as context:
        page = context.new_page()
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(address)
        page.wait_for_function("!document.querySelector('iframe').contentDocument")
        assert all("chrome-error" in frame.url for frame in page.frames[1:])


def test_viewer_talks_only_to_embedding_page(chat, other_host, delay_link, open_page):
    """A frame of another origin on the same page gets and sends nothing."""
    spying = other_host.page("", """
      window.heard = [];
      addEventListener("message", (event) => heard.push(event.data));
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => heard.push(data);
      window.pry = () => {
        const hello = { source: "highlighter", v: 1 };
        parent.frames[0].postMessage({ ...hello, type: "connect" }, "*", [port2]);
        parent.frames[0].postMessage({ ...hello, type: "question", question: "Who owns the harbour?" }, "*");
        parent.postMessage({ ...hello, type: "ready" }, "*");
        parent.postMessage({ ...hello, type: "navigate", tab: true, url: "https://evil.example" }, "*");
      };""")  # fmt: skip
    plain = f'<iframe src="{delay_link()}"></iframe><iframe src="{spying}"></iframe>'  # what is in an element cannot be reached
    page = open_page(chat.viewing(delay_link(), f"document.body.insertAdjacentHTML('afterbegin', '{plain}')"))
    text_shown(page, "evidence.selected")
    spy = next(frame for frame in page.frames if frame.url == spying)
    spy.wait_for_function("!!window.pry")
    victim = page.frames[[frame.url for frame in page.frames].index(spying) - 1]
    expect(victim.locator("[aria-current][data-n]").first).to_be_attached()
    before = victim.url
    spy.evaluate("pry()")
    ready_script = """() => new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => done(data.type);
      frames[0].postMessage({ source: "highlighter", v: 1, type: "connect" }, "*", [port2]);
    })"""
    assert page.evaluate(ready_script) == "ready"  # after all that the spy has sent
    page.evaluate("viewer.send('goto', { mark: 1 })")  # and after it everything sent before has been heard
    page.wait_for_function("said.filter((one) => one.type === 'evidence.selected').length > 1")
    assert spy.evaluate("heard") == []
    assert victim.url == before
    assert page.evaluate("said.filter((one) => one.type === 'ready').length") == 1


def test_viewer_is_loaded_when_it_comes_near_window(chat, delay_link, open_page):
    address = chat.viewing(delay_link(), style="margin-top: 4000px")
    page = open_page(address)
    page.wait_for_function("!!customElements.get('citation-viewer')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert not any("/embed/" in frame.url for frame in page.frames)
    page.evaluate("scrollTo(0, 4000)")
    viewer(page).locator("mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)


@pytest.fixture(scope="module")
def expired(delay_link, http) -> str:
    """A link that has expired."""
    link = delay_link(expires_in=1)
    while http.get(link).status != 410:
        time.sleep(0.05)
    return link


def test_expired_link_is_renewed_by_host(chat, delay_link, expired, open_page):
    fresh = delay_link()
    page = open_page(chat.viewing(expired, f'viewer.refresh = async () => "{fresh}";'))
    assert text_shown(page, "link.expired")["status"] == 410
    expect(viewer(page).locator("mark").first).to_contain_text("For each day")


def test_expired_link_without_renewal_shows_message(chat, expired, open_page):
    page = open_page(chat.viewing(expired))
    expect(viewer(page).locator("h1")).to_have_text("This link has expired")
    assert viewer(page).locator("main a[href]").count() == 0


def test_link_is_renewed_without_moving_content(chat, delay_link, open_page):
    old, fresh = delay_link(expires_in=4), delay_link()
    page = open_page(chat.viewing(old, f'viewer.refresh = async () => "{fresh}";'))
    text_shown(page, "ready")
    framed(page).evaluate("window.stayed = true")
    assert text_shown(page, "link.expired")["seconds"] > 0
    tab = viewer(page).get_by_role("link", name="Page", exact=True)
    expect(tab).to_have_attribute("href", re.compile(fresh.rsplit("/", 1)[1]))
    assert framed(page).evaluate("window.stayed")
    tab.click()
    viewer(page).locator(".document-page .highlight").first.wait_for(timeout=ANSWER_TIMEOUT_MS)


@pytest.mark.parametrize("width", [168, 280, 320])
def test_narrowest_frame_does_not_scroll_sideways(chat, delay_link, open_page, width):
    for view in ("text", "page"):
        page = open_page(chat.viewing(delay_link(), view=view), viewport={"width": width, "height": 700})
        viewer(page).locator(".highlight, mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
        assert (view, framed(page).evaluate(TOO_WIDE)) == (view, 0)
