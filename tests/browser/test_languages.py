"""Every page in every language: no text of the site stays in English."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request

import lxml.html
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, text_file
from tests.browser.every_page import DELAY, SEVERAL, SLIP

# What is called so in every language; names of files, and what was asked, are taken out besides.
SAME = (
    r"Highlighter|PDF|DOCX|TXT|Word|PowerPoint|Excel|CSV|OpenDocument|RTF|EPUB|OCR|API|JSON|Markdown|"
    r"Shift|Enter|Esc|Tab|English|SHA|UTC|APA|BibTeX|quantum chromodynamics|contractor|simple|default|grounded"
)
SKIP_LINKS = {"zh-Hant": "跳到主要內容", "zh-Hans": "跳到主要内容"}


@pytest.mark.parametrize("language", SKIP_LINKS)
def test_translated_pages_contain_no_english(language, site, empty_site, pages):
    left = {}
    names = names_of_documents(site)
    for name, address in pages.items():
        if name == "the API":
            continue  # for programmers, and in English
        for root in (site, empty_site):
            address = address.replace(root, f"{root}/{language}") if address.startswith(root) else address
        page = lxml.html.fromstring(fetch_text(address))
        assert page.get("lang") == language
        assert SKIP_LINKS[language] in page.text_content()
        if english := [words for words in message(page, language) if re.search("[A-Za-z]{2,}", plain(words, names))]:
            left[name] = english
    assert left == {}


def test_arabic_text_runs_right_to_left(site, upload_once, open_page):
    words = "تغادر العبارة في السابعة صباحا."
    page = open_page(f"{upload_once(text_file('ferry.txt', words))}/chunks/0")
    gaps = page.locator(".text p").first.evaluate("""(line) => {
      const letters = document.createRange();
      letters.selectNodeContents(line);
      const [inner, outer] = [letters.getBoundingClientRect(), line.getBoundingClientRect()];
      return [inner.left - outer.left, outer.right - inner.right];
    }""")
    assert gaps[0] > 100 > 1 > gaps[1]


def fetch_text(address: str) -> str:
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as err:
        with err:
            return err.read().decode()


def message(page, language: str):
    """Yield the texts and attributes of a page that are marked as being in its language."""
    for element in page.iter("*"):
        if _language(element) != language or element.tag in ("script", "style", "code", "kbd"):
            continue
        yield element.text or ""
        yield from (child.tail or "" for child in element)
        yield from (element.get(name, "") for name in ("aria-label", "title", "placeholder", "alt"))


def _language(element) -> str:
    return next((one.get("lang") for one in (element, *element.iterancestors()) if one.get("lang")), "")


def names_of_documents(site: str) -> list[str]:
    """Return the names of all documents that the shared server holds, the longest first."""
    listed = json.loads(fetch_text(f"{site}/api/v1/documents?limit=100"))["documents"]
    return sorted({document["name"] for document in listed}, key=len, reverse=True)


def plain(words: str, names: list[str]) -> str:
    for known in (
        *names,
        SEVERAL,
        SLIP,
        DELAY,
        "nothing" * 30,
        "nothing like that",
    ):
        words = words.replace(known, "")
    words = re.sub("「[^」]*」|“[^”]*”|《[^》]*》", "", words)  # headings of documents in suggested questions
    return re.sub(rf"\b(?:{SAME})\b", "", words)


def test_script_messages_use_language_of_page(site, contract, open_page):
    page = open_page(f"{site}/?lang=zh-Hant", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("你的問題").fill(SEVERAL)
    page.get_by_label("你的問題").press("Enter")
    page.locator(".answer .chip").first.click(timeout=ANSWER_TIMEOUT_MS)
    expect(page.locator("[data-citation-panel-position]")).to_contain_text("1／")
    framed = page.frame_locator(".citation-panel iframe")
    expect(framed.locator(".tabs")).to_contain_text("文字")
    page.get_by_role("button", name="複製", exact=True).click()
    expect(page.get_by_role("button", name="已複製")).to_be_visible()
    expect(page.locator("[data-conversation-note]")).to_contain_text("接續先前的對話")


def test_language_chosen_in_footer_is_kept(contract, open_page):
    page = open_page(contract)
    page.get_by_role("link", name="简体中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.locator("input[name=q]").fill(SEVERAL)
    page.locator("input[name=q]").press("Enter")
    page.wait_for_url("**/zh-Hans/documents/*/chunks/*")
    page.get_by_role("link", name="文本", exact=True).click()
    page.locator("mark").first.wait_for()
    page.get_by_role("link", name="English").click()
    expect(page.locator(".highlighted-for")).to_contain_text("Highlighted for:")
