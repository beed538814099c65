"""The page that checks an answer, by keyboard, and the way from a claim to its sentence."""

from __future__ import annotations

from playwright.sync_api import expect


def test_pasted_answer_is_checked_by_keyboard_and_its_sentence_opens(open_page, site):
    page = open_page(f"{site}/open")
    page.get_by_role("link", name="Check an answer").click()
    page.wait_for_url("**/check")  # a key that is pressed before the page's script runs does nothing
    field = page.get_by_label("Answer to check")
    field.fill("Delay damages stop at twenty per cent of the total of the prices.")
    field.press("Control+Enter")
    expect(page.locator(".checked li.contradicted mark").first).to_have_text("twenty")
    expect(page.get_by_label("Answer to check")).to_have_value(
        "Delay damages stop at twenty per cent of the total of the prices."
    )
    page.get_by_role("link", name="Harbour Works Contract.pdf, page 3").click()
    expect(page.locator("mark").first).to_contain_text("Delay damages stop at ten per cent")
    page.go_back()
    expect(page.get_by_role("button", name="Check")).to_be_enabled()
