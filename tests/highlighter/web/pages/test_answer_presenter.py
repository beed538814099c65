"""Answers as Markdown."""

from __future__ import annotations

from highlighter.answer_text.parser import parse_answer
from highlighter.web.pages import answer_presenter
from tests.highlighter.web.pages.answer_factory import answer

MARKER = "[Harbour, p.2]"


def format_markdown(answer_out, base_url: str, is_markdown: bool) -> str:
    return answer_presenter.format_answer_markdown(answer_out, parse_answer(answer_out, is_markdown), base_url)


def test_markdown_links_markers_and_lists_sources():
    text = format_markdown(answer(f"“Boats pay.” {MARKER}", [{"label": MARKER}]), "https://papers.example", False)
    assert "“Boats pay.” [Harbour, p.2](https://papers.example/documents/d/chunks/0?q=who&cited=5-9)" in text
    assert text.endswith(
        "- \\[1\\] Harbour.pdf, page 2: Boats pay. [highlighted](https://papers.example/documents/d/chunks/0?q=who&cited=5-9)"
        " [PDF](https://papers.example/documents/d/pdf?sub_question=who#page=2)\n"
    )


def test_markdown_in_quotes_is_escaped():
    text = format_markdown(answer("“*Boats* pay <b>4</b> [see](http://x.example)”"), "", False)
    assert text == "“\\*Boats\\* pay \\<b\\>4\\</b\\> \\[see\\](http://x.example)”\n"
    assert format_markdown(answer("**Boats** pay"), "", True) == "**Boats** pay\n"


def test_unresolved_marker_is_no_link():
    answer_out = answer("Yes [Moon, p.9].", unresolved=[{"label": "[Moon, p.9]"}])
    assert format_markdown(answer_out, "", False) == "Yes \\[Moon, p.9\\].\n"


def test_only_markers_are_links():
    """A model may repeat the links and images of a document; pasted elsewhere, they would be loaded."""
    text = (
        f"**Boats** ![x](http://x.example/a.png) [see](http://x.example) \\[it\\](http://x.example) <b>4</b> {MARKER}"
    )
    markdown = format_markdown(answer(text, [{"label": MARKER}]), "", True).partition("\n")[0]
    assert markdown == (
        "**Boats** !\\[x\\](http://x.example/a.png) \\[see\\](http://x.example) \\[it\\](http://x.example)"
        " \\<b\\>4\\</b\\> [Harbour, p.2](/documents/d/chunks/0?q=who&cited=5-9)"
    )
