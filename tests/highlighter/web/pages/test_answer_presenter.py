from __future__ import annotations

from highlighter.answer_text.parser import parse_answer
from highlighter.web.pages import answer_presenter
from tests.highlighter.web.pages.answer_factory import answer

MARK = "[Harbour, p.2]"


def as_markdown(made, base: str, is_markdown: bool) -> str:
    return answer_presenter.format_answer_markdown(made, parse_answer(made, is_markdown), base)


def test_each_mark_is_a_link_to_its_sentence_and_the_sources_are_listed():
    text = as_markdown(answer(f"“Boats pay.” {MARK}", [{"label": MARK}]), "https://papers.example", False)
    assert "“Boats pay.” [Harbour, p.2](https://papers.example/documents/d/chunks/0?q=who&cited=5-9)" in text
    assert text.endswith(
        "- \\[1\\] Harbour.pdf, page 2: Boats pay. [highlighted](https://papers.example/documents/d/chunks/0?q=who&cited=5-9)"
        " [PDF](https://papers.example/documents/d/pdf?sub_question=who#page=2)\n"
    )


def test_what_a_document_says_is_text_and_makes_no_markdown():
    text = as_markdown(answer("“*Boats* pay <b>4</b> [see](http://x.example)”"), "", False)
    assert text == "“\\*Boats\\* pay \\<b\\>4\\</b\\> \\[see\\](http://x.example)”\n"
    assert as_markdown(answer("**Boats** pay"), "", True) == "**Boats** pay\n"


def test_a_mark_that_leads_nowhere_is_no_link():
    made = answer("Yes [Moon, p.9].", unresolved=[{"label": "[Moon, p.9]"}])
    assert as_markdown(made, "", False) == "Yes \\[Moon, p.9\\].\n"


def test_of_markdown_nothing_but_the_marks_leads_anywhere():
    """A model repeats what a document says, and whoever pastes the answer elsewhere would load its images."""
    said = f"**Boats** ![x](http://x.example/a.png) [see](http://x.example) \\[it\\](http://x.example) <b>4</b> {MARK}"
    text = as_markdown(answer(said, [{"label": MARK}]), "", True).partition("\n")[0]
    assert text == (
        "**Boats** !\\[x\\](http://x.example/a.png) \\[see\\](http://x.example) \\[it\\](http://x.example)"
        " \\<b\\>4\\</b\\> [Harbour, p.2](/documents/d/chunks/0?q=who&cited=5-9)"
    )
