"""Notes in the viewer: select words, highlight them, write, find them again on the pages, delete and undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import question_url
from tests.browser.every_page import SEVERAL
from tests.browser.test_axe import list_violations

SENTENCE = "A working day is a day other than a Sunday or a public holiday"
# Select the text between two strings of an element's text nodes, as a reader does with the mouse.
SELECT = """([selector, first, last]) => {
  const nodes = [...document.querySelectorAll(selector)].flatMap((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  });
  const start = nodes.find((node) => node.data.includes(first));
  const end = nodes.slice(nodes.indexOf(start)).find((node) => node.data.includes(last));
  const range = document.createRange();
  range.setStart(start, start.data.indexOf(first));
  range.setEnd(end, end.data.indexOf(last) + last.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@pytest.fixture
def open_viewer(open_page, contract):
    def open_viewer(view="text", **options):
        page = open_page(f"{contract}/chunks/1?view={view}", **options)
        expect(page.locator("[data-note-list]")).to_have_count(1)  # the script is there
        return page

    return open_viewer


def highlight(page, colour="green", first="A working", last="public holiday", selector=".text"):
    page.evaluate(SELECT, [selector, first, last])
    page.locator(f"[data-highlight={colour}]").click()
    expect(page.locator(f"[data-note-mark].note-{colour}").first).to_be_visible()


def read_marked_words(page):
    return "".join(page.locator("span.note-mark").all_text_contents())


def test_selected_words_are_highlighted_and_noted(open_viewer):
    page = open_viewer()
    text = page.locator(".text").inner_text()
    highlight(page)
    expect(page.locator("button.note-button")).to_be_focused()
    assert read_marked_words(page) == SENTENCE
    page.keyboard.press("Enter")  # the note's place in the list
    page.locator(".note-edit summary").click()
    page.get_by_label("Your note").fill("Saturday too?")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Note: Saturday too?")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Note: Saturday too?")).to_be_visible()
    assert read_marked_words(page) == SENTENCE
    page.locator("[data-notes-opener]").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("button.note-button")).to_have_count(0)
    assert page.locator(".text").inner_text() == text
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Note: Saturday too?")).to_be_visible()


def test_text_of_a_note_that_was_changed_meanwhile_is_kept(open_viewer):
    page = open_viewer()
    highlight(page)
    page.locator(".note-button").click()
    page.locator(".note-edit summary").click()
    with page.context.new_page() as other:
        other.goto(f"{page.url.split('/documents')[0]}/notes")
        other.locator(".note-edit summary").first.click()
        other.get_by_label("Your note", exact=True).first.fill("Written elsewhere.")
        other.get_by_role("button", name="Save").first.click()
        expect(other.locator(".note-text").first).to_have_text("Written elsewhere.")
    field = page.get_by_label("Your note")
    field.fill("Written here.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert").filter(has_text="changed meanwhile")).to_be_visible()
    expect(page.locator(".note-text")).to_have_text("Written elsewhere.")
    expect(field).to_have_value("Written here.")
    expect(field).to_be_focused()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".note-text")).to_have_text("Written here.")


def test_words_selected_on_page_are_those_of_the_text(open_viewer):
    page = open_viewer("page")
    page.locator(".text-layer text").first.wait_for(state="attached")
    highlight(page, "pink", "working", "holiday", ".text-layer")
    page.get_by_role("link", name="Text", exact=True).click()
    expect(page.locator("span.note-mark.note-pink").first).to_be_visible()
    assert read_marked_words(page).startswith("working")
    assert read_marked_words(page).endswith("holiday")


def test_cut_words_are_selected_whole_and_marks_survive_find(open_viewer):
    page = open_viewer()
    highlight(page, "blue", "orking day is", "Sund")
    assert read_marked_words(page) == "working day is a day other than a Sunday"
    page.locator("[data-find] input[type=search]").fill("chat program")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_be_visible()
    expect(page.locator("button.note-button")).to_have_count(1)
    assert read_marked_words(page) == "working day is a day other than a Sunday"


def test_current_highlight_is_noted_by_keyboard(open_page, contract):
    page = open_page(question_url(contract, SEVERAL))
    page.locator("mark[aria-current]").first.wait_for()
    expect(page.locator("[data-note-list]")).to_have_count(1)
    page.keyboard.press("h")
    expect(page.get_by_label("Your note")).to_be_focused()
    assert read_marked_words(page) == "".join(page.locator("mark[aria-current]").all_text_contents()).rstrip("✎▪")
    page.keyboard.press("Escape")
    expect(page.locator("[data-notes-panel]")).to_be_hidden()


def test_link_of_note_opens_document_at_its_mark(open_viewer, site):
    page = open_viewer()
    highlight(page)
    page.goto(f"{site}/notes")
    page.locator("[data-note-jump]").click()
    expect(page.locator("button.note-button")).to_be_focused()
    expect(page.locator("[data-notes-panel]")).to_be_visible()


def test_notes_have_no_axe_violations(open_viewer, site):
    page = open_viewer(reduced_motion="reduce")
    highlight(page)
    page.keyboard.press("Enter")
    page.locator(".note-edit summary").click()
    page.evaluate(SELECT, [".text", "Completion is", "by night"])
    expect(page.locator("[data-note-tools]")).to_be_visible()
    assert list_violations(page) == []
    page.goto(f"{site}/notes")
    assert list_violations(page) == []
    page.goto(page.locator("[data-note-jump]").evaluate("link => link.href.replace('?', '?view=page&')"))
    expect(page.locator("g.note-green")).to_be_focused()
    assert list_violations(page) == []


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_tools_and_list_fit_the_window(open_viewer, width):
    page = open_viewer(viewport={"width": width, "height": 700})
    page.evaluate(SELECT, [".text", "A working", "holiday"])
    expect(page.locator("[data-note-tools]")).to_be_visible()
    box = page.locator("[data-note-tools]").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.locator("[data-notes-opener]").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def open_form(page, number=0):
    form = page.locator(".note-edit").nth(number)
    form.locator("summary").click()
    return form.get_by_label("Your note")


def test_ctrl_enter_saves_and_other_unsaved_texts_stay(open_viewer):
    page = open_viewer()
    highlight(page)
    highlight(page, "pink", "Completion is", "by night")
    page.locator("[data-notes-opener]").click()
    open_form(page).fill("saved")
    open_form(page, 1).fill("not yet")
    page.get_by_label("Your note").first.press("Control+Enter")
    expect(page.get_by_role("button", name="Note: saved")).to_be_visible()
    expect(page.get_by_label("Your note").nth(1)).to_have_value("not yet")


def test_page_is_not_left_with_an_unsaved_text_unasked(browser, contract, site):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{contract}/chunks/1?view=text")
    expect(page.locator("[data-note-list]")).to_have_count(1)
    highlight(page)
    page.goto(f"{site}/notes")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    field = open_form(page)
    field.fill("first")
    field.press("Control+Enter")
    expect(page.locator(".note-text")).to_have_text("first")
    assert questions == []
    open_form(page).fill("second")
    page.reload()
    assert questions == ["beforeunload"]
    context.close()
