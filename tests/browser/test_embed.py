"""The viewer in frames of other origins: what it says, what it hears, and whom it hears."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWERED_WITHIN, new_page
from tests.browser.hosting import somebody
from tests.browser.test_for_everyone import TOO_WIDE

DELAY = "How much does the Contractor pay for each day of delay?"
PENGUINS = "What do penguins eat in the Antarctic winter?"
LIT = "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."


@pytest.fixture(scope="module")
def chat(site):
    with somebody(site) as origin:
        yield origin


@pytest.fixture(scope="module")
def stranger(site):
    with somebody(site) as origin:
        yield origin


@pytest.fixture(scope="module")
def delay(contract, chat):
    """A signed link to the sentence about delay."""
    return lambda **what: chat.link(**{"document_id": contract.rsplit("/", 1)[1], "question": DELAY, **what})


def viewer(page: Page):
    return page.frame_locator("citation-viewer iframe")


def framed(page: Page):
    """The frame itself, to look into."""
    return next(frame for frame in page.frames if "/embed/" in frame.url)


def said(page: Page, type: str) -> dict:
    """The first of what was said, once it is."""
    page.wait_for_function("type => said.some((one) => one.type === type)", arg=type, timeout=ANSWERED_WITHIN)
    return page.evaluate("type => said.find((one) => one.type === type)", type)


def test_a_viewer_says_that_it_is_there_what_is_lit_and_how_high_it_is(chat, delay, open_page, contract):
    page = open_page(chat.viewing(delay()))
    expect(viewer(page).locator("mark").first).to_contain_text("For each day")
    ready = said(page, "ready")
    assert (ready["document_id"], ready["view"], ready["marks"]) == (contract.rsplit("/", 1)[1], "text", 1)
    assert ready["title"] == "Harbour Works Contract.pdf"
    chosen = said(page, "evidence.selected")
    assert (chosen["number"], chosen["of"]) == (1, 1)
    assert LIT in chosen["text"]
    assert not page.evaluate("said.some((one) => one.type === 'error' || one.type === 'evidence.missing')")


def test_a_frame_is_as_high_as_what_it_shows_until_it_is_as_high_as_it_may_be(chat, delay, open_page):
    page = open_page(chat.viewing(delay(), style="--citation-max-height: 5000px"))
    said(page, "resize")
    high = "() => viewer.shadowRoot.querySelector('iframe').getBoundingClientRect().height"
    inside = "() => document.body.getBoundingClientRect().height"
    fits = page.evaluate(high)
    assert fits == pytest.approx(framed(page).evaluate(inside), abs=1)
    page.set_viewport_size({"width": 400, "height": 700})
    page.wait_for_function(f"before => ({high})() > before + 100", arg=fits)
    page.evaluate("viewer.style.setProperty('--citation-max-height', '300px')")
    assert page.evaluate(high) == 300
    expect(viewer(page).locator("mark").first).to_be_in_viewport()


def test_a_frame_becomes_lower_when_what_it_shows_does(chat, delay, open_page, contract, site, http):
    page = open_page(chat.viewing(delay(), style="--citation-max-height: 5000px"))
    said(page, "resize")
    high = "() => viewer.shadowRoot.querySelector('iframe').getBoundingClientRect().height"
    before = page.evaluate(high)
    identity = contract.rsplit("/", 1)[1]
    parts = http.get(f"{site}/api/v1/documents/{identity}/chunks").json()["chunks"]
    shortest = min(parts, key=lambda one: one["end"] - one["start"])["index"]
    page.evaluate("what => viewer.send('goto', what)", {"document_id": identity, "chunk_index": shortest})
    viewer(page).get_by_text(f"part {shortest + 1} of").wait_for(timeout=ANSWERED_WITHIN)
    page.wait_for_function(f"before => ({high})() < before", arg=before)


@pytest.mark.parametrize("width", [360, 608, 1280])
def test_in_a_low_frame_the_name_and_the_tabs_stay(chat, delay, open_page, width):
    page = open_page(
        chat.viewing(delay(), style="--citation-max-height: 430px"), viewport={"width": width, "height": 700}
    )
    viewer(page).locator("mark").first.wait_for(timeout=ANSWERED_WITHIN)
    page.wait_for_function("said.some((one) => one.type === 'evidence.selected')")
    assert framed(page).evaluate("scrollY") > 0
    expect(viewer(page).locator("h1")).to_be_in_viewport(ratio=1)
    expect(viewer(page).get_by_role("link", name="PDF", exact=True)).to_be_in_viewport(ratio=1)
    share = framed(page).evaluate("document.querySelector('.sheet > header').offsetHeight / innerHeight")
    assert share < 0.34


@pytest.mark.parametrize("width", [280, 360, 608, 1280])
def test_a_sentence_is_not_cut_off_at_the_side_of_its_frame(chat, delay, open_page, width):
    """It runs over from the right column of one page to the left column of the next; on a phone both would be too small."""
    page = open_page(chat.viewing(delay(), view="page"), viewport={"width": width, "height": 700})
    viewer(page).locator(".highlight[aria-current]").nth(1).wait_for(state="attached", timeout=ANSWERED_WITHIN)
    boxes = framed(page).evaluate("""() => [...document.querySelectorAll('.highlight[aria-current]')]
      .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])""")
    assert len(boxes) == 2
    assert all(left >= 0 and right <= width for left, right in (boxes if width > 500 else boxes[:1]))
    assert framed(page).locator(".highlight rect").first.evaluate("one => one.getBoundingClientRect().height") > 9
    if width > 500:
        expect(viewer(page).locator("[data-zoom-now]")).to_have_text("100 %")


def test_in_a_wide_frame_the_text_stands_in_the_middle(chat, delay, open_page):
    page = open_page(chat.viewing(delay()), viewport={"width": 1600, "height": 700})
    viewer(page).locator("mark").first.wait_for(timeout=ANSWERED_WITHIN)
    left, right, wide = framed(page).evaluate("""() => {
      const { left, right } = document.querySelector(".text > p").getBoundingClientRect();
      return [left, innerWidth - right, right - left];
    }""")
    assert left == pytest.approx(right, abs=20)
    assert wide > 600


def test_nothing_lit_is_said_with_why(chat, delay, open_page):
    page = open_page(chat.viewing(delay(question=PENGUINS, chunk_index=0)))
    assert "No strong match in this section" in said(page, "evidence.missing")["why"]


def test_a_viewer_goes_where_it_is_told(chat, delay, open_page, contract):
    page = open_page(chat.viewing(delay()), fresh=True)
    said(page, "ready")

    def asked(type: str, what: dict, then: str) -> None:
        before = page.evaluate("said.filter((one) => one.type === 'ready').length")
        page.evaluate("([type, what]) => viewer.send(type, what)", [type, what])
        page.wait_for_function("n => said.filter((one) => one.type === 'ready').length > n", arg=before)
        viewer(page).locator(then).first.wait_for(timeout=ANSWERED_WITHIN)

    asked("view", {"view": "page"}, ".document-page .highlight[aria-current]")
    asked("goto", {"page": 1}, "#page-1 img")
    asked("view", {"view": "text"}, ".text mark")
    asked("question", {"question": "When must the Contractor give an early warning?"}, "mark >> text=two working days")
    asked("goto", {"document_id": contract.rsplit("/", 1)[1], "chunk_index": 0}, ".crumb >> text=section 1 of 12")
    asked("goto", {"start": 0, "end": 20}, "mark#mark-1")
    assert (
        framed(page).evaluate("history.length") == 2
    )  # about:blank and the page around it: its way back leads past us


def test_a_reader_in_another_document_stays_in_it(chat, delay, open_page, contract, report, taken_in):
    """By a link for a collection; questions, places and pages are those of the document that is shown."""
    page = open_page(chat.viewing(delay(scope="collection")))
    said(page, "ready")
    other = report.rsplit("/", 1)[1]
    ways = [("goto", {"document_id": other, "chunk_index": 1}, "mark, .text"),
            ("question", {"question": "How many armour stones are missing?"}, ".highlighted-for >> text=armour stones"),
            ("goto", {"start": 0, "end": 20}, "mark#mark-1"), ("goto", {"page": 2}, "#page-2 img")]  # fmt: skip
    for type, what, then in ways:
        before = page.evaluate("said.filter((one) => one.type === 'ready').length")
        page.evaluate("([type, what]) => viewer.send(type, what)", [type, what])
        page.wait_for_function("n => said.filter((one) => one.type === 'ready').length > n", arg=before)
        viewer(page).locator(then).first.wait_for(timeout=ANSWERED_WITHIN)
        assert page.evaluate("said.findLast((one) => one.type === 'ready').document_id") == other, what


@pytest.mark.parametrize("what", [{"scope": "chunk"}, {"scope": "document", "may": ["view", "page"]}])
@pytest.mark.parametrize("view", ["text", "page"])
def test_what_is_lit_is_told_with_its_page_in_the_document(chat, delay, open_page, what, view):
    page = open_page(chat.viewing(delay(**what), view=view))
    chosen = said(page, "evidence.selected")
    assert LIT in chosen["text"]
    assert chosen["page"] == 2


def test_why_nothing_is_lit_is_not_that_the_document_is_an_older_version(chat, open_page, site, http):
    read = []
    for at in ("the north", "the south"):
        file = {"name": "Rules.txt", "mimeType": "text/plain", "buffer": f"Boats are moored at {at} quay.".encode()}
        read.append(http.post(f"{site}/api/v1/documents", multipart={"file": file}).json()["document_id"])
        while http.get(f"{site}/api/v1/documents/{read[-1]}").json()["state"] != "ready":
            time.sleep(0.05)
    question = {"question": PENGUINS, "chunk_index": 0}
    page = open_page(chat.viewing(chat.link(document_id=read[0], **question)))
    assert "No strong match in this section" in said(page, "evidence.missing")["why"]
    expect(viewer(page).locator(".newer-version")).to_contain_text("This is an older version")


def test_a_new_link_waits_without_what_was_wrong_with_the_last(chat, delay, open_page):
    page = open_page(chat.viewing(delay()))
    said(page, "ready")
    page.evaluate("viewer.fail('It is gone.')")
    note = page.locator("citation-viewer").get_by_role("status")
    expect(note).to_have_text("It is gone.")
    page.evaluate("viewer.setAttribute('src', viewer.getAttribute('src') + '?view=text')")
    expect(note).to_have_text("")


def test_a_link_that_cannot_be_renewed_is_told_to_the_page_and_what_is_read_stays(chat, delay, browser):
    with new_page(browser) as page:
        page.goto(chat.viewing(delay(expires_in=4), "viewer.refresh = async () => JSON.parse('<p>');"))
        trouble = said(page, "error")
        assert "JSON" in trouble["detail"]
        expect(viewer(page).locator("mark").first).to_be_visible()
        expect(page.locator("citation-viewer").get_by_role("status")).to_be_hidden()


def test_what_a_viewer_does_not_understand_it_does_not_do(chat, delay, open_page):
    page = open_page(chat.viewing(delay()))
    said(page, "ready")
    before = framed(page).url
    page.evaluate("""viewer.send('goto', { page: '1' }); viewer.send('unheard-of'); viewer.send('constructor');
        viewer.send('refresh-link', { url: 'https://evil.example/embed/x' }); viewer.send('view', { view: 'pdf' });
        viewer.send('theme', { theme: 'constructor' }); viewer.send('question', { question: 7 });
        viewer.send('goto', { document_id: '../../', chunk_index: 1 }); viewer.send('theme', { theme: 'dark' })""")
    expect(framed(page).locator("html")).to_have_attribute("data-theme", "dark")  # the last was heard
    assert framed(page).url == before


def test_a_theme_changes_without_the_page(chat, delay, open_page):
    page = open_page(chat.viewing(delay(), theme="light"), color_scheme="dark")
    said(page, "ready")
    body = framed(page).locator("body")
    expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
    framed(page).evaluate("window.stayed = true")
    page.evaluate("viewer.setAttribute('theme', 'dark')")
    expect(body).to_have_css("background-color", "rgb(30, 30, 28)")
    assert framed(page).evaluate("window.stayed")


def test_a_host_that_knows_no_dark_gets_a_light_viewer(chat, delay, open_page):
    plain = chat.page(f'<style>:root {{ color-scheme: light }}</style><citation-viewer src="{delay()}"></citation-viewer>',
                      f'import "{chat.site}/static/embed.js"')  # fmt: skip
    page = open_page(plain, color_scheme="dark")
    viewer(page).locator("mark").first.wait_for(timeout=ANSWERED_WITHIN)
    assert framed(page).evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.whole_browser
def test_in_a_sandbox_without_an_origin_everything_works(chat, delay, open_page):
    page = open_page(chat.viewing(delay(), sandbox="allow-scripts", view="page"))
    assert said(page, "ready")["view"] == "page"
    assert framed(page).evaluate("self.origin") == "null"
    viewer(page).locator(".document-page .highlight[aria-current]").first.wait_for(timeout=ANSWERED_WITHIN)
    viewer(page).locator(".document-page .text-layer").first.wait_for(state="attached", timeout=ANSWERED_WITHIN)
    expect(framed(page).locator(".document-page img").first).to_have_js_property("complete", True)
    assert framed(page).locator(".document-page img").first.evaluate("one => one.naturalWidth") > 0
    assert (
        framed(page).evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui")
    )  # it has its style
    with page.context.expect_page() as tab:
        viewer(page).get_by_role("link", name="PDF", exact=True).click()
    assert "/pdf?" in tab.value.url
    viewer(page).get_by_role("link", name="Text", exact=True).click()
    viewer(page).locator(".text mark").first.wait_for(timeout=ANSWERED_WITHIN)
    assert page.context.cookies() == []


@pytest.mark.whole_browser
@pytest.mark.parametrize("sandbox", [None, "", "allow-scripts", "allow-scripts allow-same-origin", "allow-popups"])
def test_the_pdf_opens_in_one_tab_and_no_more_whatever_the_sandbox(chat, delay, open_page, sandbox):
    page = open_page(chat.viewing(delay(), **({} if sandbox is None else {"sandbox": sandbox})))
    assert said(page, "ready")["view"] == "text"  # also where the page itself names no scripts
    with page.context.expect_page():
        viewer(page).get_by_role("link", name="PDF", exact=True).click()
    assert said(page, "navigate")["tab"]
    page.evaluate("viewer.send('goto', { mark: 1 })")  # what was said before it has been heard
    page.wait_for_function("said.filter((one) => one.type === 'evidence.selected').length > 1")
    assert len(page.context.pages) == 2


@pytest.mark.whole_browser
def test_the_pdf_opens_from_a_frame_of_somebody_s_own_in_a_sandbox_that_lets_it(chat, delay, open_page):
    box = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
    page = open_page(chat.page(f'<iframe width=900 height=600 sandbox="{box}" src="{delay()}"></iframe>'))
    pdf = page.frame_locator("iframe").get_by_role("link", name="PDF", exact=True)
    with page.context.expect_page():
        pdf.click(timeout=ANSWERED_WITHIN)


def test_an_origin_that_is_not_named_cannot_frame_it(chat, stranger, delay, open_page, browser):
    address = stranger.page(f'<iframe src="{delay()}"></iframe>')
    with browser.new_context() as context:
        page = context.new_page()
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(address)
        page.wait_for_function("!document.querySelector('iframe').contentDocument")
        assert all("chrome-error" in frame.url for frame in page.frames[1:])


def test_only_the_page_around_it_is_told_and_heard(chat, stranger, delay, open_page):
    """A frame of a stranger's beside it, on a page that may frame both."""
    spying = stranger.page("", """
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
    plain = (
        f'<iframe src="{delay()}"></iframe><iframe src="{spying}"></iframe>'  # what is in an element cannot be reached
    )
    page = open_page(chat.viewing(delay(), f"document.body.insertAdjacentHTML('afterbegin', '{plain}')"))
    said(page, "evidence.selected")
    spy = next(frame for frame in page.frames if frame.url == spying)
    spy.wait_for_function("!!window.pry")
    victim = page.frames[[frame.url for frame in page.frames].index(spying) - 1]
    expect(victim.locator("[aria-current][data-n]").first).to_be_attached()
    before = victim.url
    spy.evaluate("pry()")
    answered = """() => new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => done(data.type);
      frames[0].postMessage({ source: "highlighter", v: 1, type: "connect" }, "*", [port2]);
    })"""
    assert page.evaluate(answered) == "ready"  # after all that the spy has sent
    page.evaluate("viewer.send('goto', { mark: 1 })")  # and after it everything sent before has been heard
    page.wait_for_function("said.filter((one) => one.type === 'evidence.selected').length > 1")
    assert spy.evaluate("heard") == []
    assert victim.url == before
    assert page.evaluate("said.filter((one) => one.type === 'ready').length") == 1


def test_a_viewer_far_below_is_fetched_when_it_comes_near(chat, delay, open_page):
    address = chat.viewing(delay(), style="margin-top: 4000px")
    page = open_page(address)
    page.wait_for_function("!!customElements.get('citation-viewer')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert not any("/embed/" in frame.url for frame in page.frames)
    page.evaluate("scrollTo(0, 4000)")
    viewer(page).locator("mark").first.wait_for(timeout=ANSWERED_WITHIN)


@pytest.fixture(scope="module")
def expired(delay, http) -> str:
    """A link whose time is over."""
    link = delay(expires_in=1)
    while http.get(link).status != 410:
        time.sleep(0.05)
    return link


def test_an_expired_link_is_renewed_by_its_host(chat, delay, expired, open_page):
    fresh = delay()
    page = open_page(chat.viewing(expired, f'viewer.refresh = async () => "{fresh}";'))
    assert said(page, "link.expired")["status"] == 410
    expect(viewer(page).locator("mark").first).to_contain_text("For each day")


def test_an_expired_link_that_nobody_renews_says_so(chat, expired, open_page):
    page = open_page(chat.viewing(expired))
    expect(viewer(page).locator("h1")).to_have_text("This link has expired")
    assert viewer(page).locator("main a[href]").count() == 0


def test_a_link_is_renewed_while_it_is_read_without_moving_anything(chat, delay, open_page):
    old, fresh = delay(expires_in=4), delay()
    page = open_page(chat.viewing(old, f'viewer.refresh = async () => "{fresh}";'))
    said(page, "ready")
    framed(page).evaluate("window.stayed = true")
    assert said(page, "link.expired")["seconds"] > 0
    tab = viewer(page).get_by_role("link", name="Page", exact=True)
    expect(tab).to_have_attribute("href", re.compile(fresh.rsplit("/", 1)[1]))
    assert framed(page).evaluate("window.stayed")
    tab.click()
    viewer(page).locator(".document-page .highlight").first.wait_for(timeout=ANSWERED_WITHIN)


@pytest.mark.parametrize("width", [280, 320])
def test_the_narrowest_frame_does_not_scroll_sideways(chat, delay, open_page, width):
    for view in ("text", "page"):
        page = open_page(chat.viewing(delay(), view=view), viewport={"width": width, "height": 700})
        viewer(page).locator(".highlight, mark").first.wait_for(timeout=ANSWERED_WITHIN)
        assert (view, framed(page).evaluate(TOO_WIDE)) == (view, 0)
