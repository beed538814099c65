"""What a screen reader says: roles, names and states of the main pages, from the browser's accessibility tree."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

SITE_HEADER = """
- banner:
  - link "Highlighter"
  - navigation "Site":
    - link "Ask"
    - link "History"
    - link "Library"
    - link "Search"
    - link "Quotes"
    - link "API"
  - button "Settings"
  - button "Keyboard shortcuts"
"""
SETTINGS = """
- dialog "Settings":
  - heading "Settings" [level=2]
  - group "Theme":
    - radio "System" [checked]
    - radio "Light"
    - radio "Dark"
  - group "Text size":
    - radio "Normal" [checked]
    - radio "Large"
    - radio "Larger"
  - navigation "Language of the pages":
    - link "English"
  - checkbox "Single-key shortcuts" [checked]
  - checkbox "Verdicts in the text" [checked]
  - button "Close"
"""
LIBRARY_ROW = """
- row:
  - cell:
    - checkbox "Select Harbour Works Contract.pdf"
    - link "Harbour Works Contract.pdf"
  - cell
  - cell
  - cell "ready"
  - cell
  - cell:
    - button "Delete Harbour Works Contract.pdf"
"""
CHOSEN_SOURCES = """
- search "Ask the documents":
  - textbox "Your question"
  - button "Ask"
  - group "Sources of the answer":
    - link "Leave out Harbour Works Contract.pdf"
  - link "Choose documents"
"""
UPLOADS = """
- button "Files to add"
- group: Tags and details
"""


@pytest.mark.parametrize(
    ("name", "part", "snapshot"),
    [
        ("the ask page", "header.site", SITE_HEADER),
        ("the ask page of a chosen document", "form.question", CHOSEN_SOURCES),
        ("the library", "tr:has(> td > [href*='/documents/']):has-text('Harbour Works')", LIBRARY_ROW),
        ("the library", ".upload-zone", UPLOADS),
    ],
)
def test_part_of_page_has_roles_and_names(name, part, snapshot, pages, open_page):
    expect(open_page(pages[name]).locator(part).first).to_match_aria_snapshot(snapshot)


def test_settings_have_roles_names_and_states(pages, open_page):
    page = open_page(pages["search"])
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_match_aria_snapshot(SETTINGS)
