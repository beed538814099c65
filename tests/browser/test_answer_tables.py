"""Tables in answers, in the browser."""

from __future__ import annotations

from pathlib import Path

from highlighter.answering.request import MARKDOWN
from tests.highlighter.answer_text.answers import cited
from tests.highlighter.answer_text.test_renderings import TABLE, render_answer_page


def test_wide_table_does_not_widen_page_on_phone(app, browser):
    made = cited(
        TABLE.replace("| Small", "| Breakwater")
        .replace("Boat |", "Boat | Where | When | Berth |")
        .replace("|---", "|---|---|---|---", 1)
    )
    with app.test_request_context("/"):
        shown = render_answer_page(made, MARKDOWN)
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.set_content(f"<meta charset=utf-8><main>{shown}</main>")
    page.add_style_tag(path=str(Path(__file__).parents[2] / "static" / "highlighter.css"))
    width, table, inner, letter, word = page.evaluate(
        """() => {
          const [scroll, cell] = [document.querySelector(".scroll"), document.querySelector("tbody th[scope=row], th[scope=row]")];
          return [document.documentElement.scrollWidth, scroll.clientWidth, scroll.scrollWidth,
                  parseFloat(getComputedStyle(cell).fontSize), cell.clientWidth];
        }"""
    )
    page.close()
    assert width == 360
    assert inner > table  # the table scrolls by itself
    assert word > 4 * letter  # its words are not cut into letters
