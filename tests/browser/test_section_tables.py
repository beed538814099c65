"""Tables of a document in the text view, in the browser."""

from __future__ import annotations

import re
from pathlib import Path

from highlighter.app import create_app
from ingest.pipeline import ingest_file
from tests.highlighter.web.test_table_text import PAGE

CSS = Path(__file__).parents[2] / "static" / "highlighter.css"


def test_wide_table_scrolls_in_its_own_box_on_phone(services, process_pool, browser, tmp_path):
    path = tmp_path / "fees.html"
    path.write_text(
        PAGE.replace("Longest stay", "Longest stay<th>Telephone of the pier warden<th>Breakwater<th>Harbourmaster")
    )
    document = ingest_file(path, services, process_pool).document
    shown = create_app(services).test_client().get(f"/documents/{document.id}/chunks/0").text
    page = browser.new_page(viewport={"width": 360, "height": 640})
    table = re.search(r'<p class="caption".*?</table></div>', shown, re.DOTALL)
    page.set_content(f'<meta charset=utf-8><main class="text">{table[0]}</main>')
    page.add_style_tag(path=str(CSS))
    box = page.get_by_role("region", name="Table 3. Fees for a berth")
    width, box_width, table_width = (
        page.evaluate("document.documentElement.scrollWidth"),
        *box.evaluate("box => [box.clientWidth, box.scrollWidth]"),
    )
    headers = page.get_by_role("columnheader").all_inner_texts()
    rows = page.get_by_role("rowheader").all_inner_texts()
    page.close()
    assert width == 360
    assert table_width > box_width
    assert headers[:3] == ["Pier", "Fee for a night in euros", "Longest stay"]
    assert rows == ["North pier", "South pier"]
