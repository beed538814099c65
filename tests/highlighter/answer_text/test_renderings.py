"""An answer reads the same on its page and in the three files of its evidence pack."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import docx
import pytest
from docx.oxml.ns import qn
from flask import render_template
from lxml import html

from highlighter.answer_text.markdown_parser import parse_markdown
from highlighter.answer_text.styled_characters import join_text
from highlighter.answer_text.tree import find_markers
from highlighter.answering.answer import Answer
from highlighter.answering.records import StoredAnswer
from highlighter.answering.request import MARKDOWN, PLAIN
from highlighter.evidence_pack.renderers import render_html, render_markdown
from highlighter.evidence_pack.report import Report, build_report, sort_citations
from highlighter.evidence_pack.word_document import render_word
from highlighter.serializers.answers import serialize_answer
from highlighter.store.answer_records import AnswerRecord
from highlighter.urls import Links
from highlighter.web.pages.answer_presenter import build_answer_presentation
from tests.highlighter.answer_text.answers import CITED, MARKDOWN_TEXTS, answer, cited, with_empty_marker
from tests.properties import example, given, settings, st

BLOCKS = {"p", "li", "ul", "ol", "td", "th", "tr", "h2", "h3", "h4", "pre", "blockquote", "div", "br"}
BREAK = " "
TABLE = f"""## Fees

The fee is **4 pounds** {CITED}, *not* `five`.

| Boat | Fee |
|---|---|
| **Small** | 4 {CITED} |
| Large | 9 | by night {CITED}

- Late boats:
  1. **first** {CITED}
  2. \\*second\\*

依據**「合約」**後面 {CITED}。"""

Rendered = dict[str, list[str]]


@pytest.fixture
def rendered(app) -> Iterator[Callable[[Answer, str], Rendered]]:
    with app.test_request_context("/"):
        yield lambda answer, format: {
            "page": read_page(answer, format), "html": read_pack_page(answer, format), "word": read_word(answer, format),
            "markdown": read_markdown(answer, format),
        }  # fmt: skip


def make_report(answer: Answer, format: str) -> Report:
    stored_answer = StoredAnswer(
        answer, {"format": format}, AnswerRecord("a", "{}", (), ()), {"seq": 1, "hash": "h", "at": ""}
    )
    return build_report(sort_citations(stored_answer))


def read_page(answer: Answer, format: str) -> list[str]:
    (prose,) = html.fromstring(render_answer_page(answer, format)).find_class("prose") or [html.Element("div")]
    return split_words("".join(read_html(prose, lambda chip: chip.get("data-number", "0"))))


def render_answer_page(answer: Answer, format: str) -> str:
    return render_template(
        "_answer_fragment.html",
        fragment="answer",
        presentation=build_answer_presentation(serialize_answer(answer, Links()), "", "/?q=Who", "", format),
    )


def read_pack_page(answer: Answer, format: str) -> list[str]:
    (body,) = html.fromstring(render_html(make_report(answer, format))).find_class("answer")
    return split_words("".join(read_html(body, lambda link: link.get("href", "#note-0").removeprefix("#note-"))))


def read_html(node: html.HtmlElement, get_number: Callable[[html.HtmlElement], str]) -> Iterator[str]:
    classes = (node.get("class") or "").split()
    if node.tag == "template" or "verdict" in classes:
        pass
    elif "chip" in classes or "cite" in classes:
        yield f"‹{get_number(node)}›"
    else:
        yield BREAK * (node.tag in BLOCKS) + (node.text or "")
        for child in node:
            yield from read_html(child, get_number)
        yield BREAK * (node.tag in BLOCKS)
    yield node.tail or ""


def read_word(answer: Answer, format: str) -> list[str]:
    body = docx.Document(io.BytesIO(render_word(make_report(answer, format)))).element.body
    paragraphs = []
    for paragraph in list(body.iter(qn("w:p")))[2:]:  # after the question and the facts
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        words = "".join(map(word_text, paragraph.iter(qn("w:t"), qn("w:br"), qn("w:footnoteReference"))))
        if style is not None and style.get(qn("w:val")) == "Heading2" and words in ("Checked claims", "Proof"):
            break
        paragraphs.append(words)
    return split_words(BREAK.join(paragraphs))


def word_text(element) -> str:
    if element.tag == qn("w:footnoteReference"):
        return f"‹{element.get(qn('w:id'))}›"
    return element.text if element.tag == qn("w:t") else BREAK


def read_markdown(answer: Answer, format: str) -> list[str]:
    markdown = render_markdown(make_report(answer, format))
    body = re.split(
        r"\n\n(?=\[\^1\]: |## Checked claims\n|## Proof\n)", markdown.partition("\n\n")[2].partition("\n\n")[2]
    )[0]
    blocks = parse_markdown(re.sub(r"(?<!\\)((?:\\\\)*)\[\^(\d+)\]", r"\1‹\2›", body), frozenset())
    return split_words(BREAK.join(list_block_texts(blocks)))


def list_block_texts(blocks) -> Iterator[str]:
    for block in blocks:
        yield join_text(block.characters)
        yield from list_block_texts(block.children)


def split_words(text: str) -> list[str]:
    """Return words and citations without white space."""
    return re.sub(r"(‹\d+›)", r" \1 ", text).split()


def assert_renderings_agree(renderings: Rendered) -> list[str]:
    words = renderings["page"]
    assert renderings == dict.fromkeys(renderings, words)
    return words


def test_markdown_answer_reads_alike_in_every_rendering(rendered):
    words = assert_renderings_agree(rendered(cited(TABLE), MARKDOWN))
    assert " ".join(words) == (
        "Fees The fee is 4 pounds ‹1› , not five. Boat Fee Small 4 ‹2› Large 9 by night ‹3› Late boats: first ‹4›"
        " *second* 依據「合約」後面 ‹5› 。"
    )


def test_plain_text_is_literal_in_every_rendering(rendered):
    text = f"The **fee** is `4` {CITED}.\n# no title\n| a | b |\n|---|---|\n1. \\* &amp; <b>"
    words = assert_renderings_agree(rendered(cited(text), PLAIN))
    assert words == text.replace(f"{CITED}.", "‹1› .").split()


@given(MARKDOWN_TEXTS)
@example(TABLE)
@settings(max_examples=15)
def test_words_and_citations_have_the_same_order_in_every_rendering(rendered, text):
    cited_answer = cited(text)
    words = assert_renderings_agree(rendered(cited_answer, MARKDOWN))
    numbers = [word for word in words if re.fullmatch(r"‹\d+›", word)]
    assert numbers == [f"‹{number}›" for number in range(1, len(cited_answer.citations) + 1)]


@given(
    st.text("ab *-#[]|>\n甲1.&_\\", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=3).map(sorted),
    st.sampled_from([PLAIN, MARKDOWN]),
)
@settings(max_examples=25)
def test_no_letter_and_no_citation_of_any_text_is_lost(rendered, text, spans, format):
    cited_answer = answer(
        text + "\n\nend", [(min(offset, len(text)), min(offset + length, len(text))) for offset, length in spans]
    )
    words = " ".join(assert_renderings_agree(rendered(cited_answer, format)))
    assert sorted(re.findall(r"‹(\d+)›", words)) == [str(number) for number in range(1, len(spans) + 1)]
    covered = {offset for marker in find_markers(cited_answer) for offset in range(marker.start, marker.end)}
    remaining_letters = "".join(
        character for offset, character in enumerate(cited_answer.text) if offset not in covered and character in "ab甲"
    )
    assert re.sub("[^ab甲]", "", words.removesuffix("end")) == remaining_letters


def test_citation_without_a_marker_follows_its_claim(rendered):
    text = "| Boat | Fee |\n|---|---|\n| Small | The fee is 4. |\n\nThat is all."
    cited_answer = with_empty_marker(cited(f"{text} {CITED}"), text.index("\n\nThat"))
    words = assert_renderings_agree(rendered(cited_answer, MARKDOWN))
    assert words == "Boat Fee Small The fee is 4. ‹1› That is all. ‹2›".split()


def test_unresolved_reference_stays_in_its_position(rendered):
    text = "Yes [Moon, p.9], no."
    renderings = rendered(answer(text, unresolved=[(4, 15)]), MARKDOWN)
    assert renderings.pop("page") == ["Yes", "‹0›", ",", "no."]
    assert renderings.pop("html") == ["Yes", "‹0›", ",", "no."]
    assert renderings == dict.fromkeys(renderings, text.split())


@pytest.mark.usefixtures("rendered")
def test_only_citations_are_links():
    text = f"[see](http://evil.example) <http://evil.example> ![x](http://evil.example/a.png) <script>x</script> {CITED}\n\n[r]: http://evil.example"
    cited_answer = cited(text)
    for page in (render_answer_page(cited_answer, MARKDOWN), render_html(make_report(cited_answer, MARKDOWN))):
        tree = html.fromstring(page)
        assert not [element for element in tree.iter("a", "img", "script", "link") if "evil" in str(element.attrib)]
        assert not list(tree.iter("script", "img"))
    assert not re.search(r"(?<!\\)\]\(http", render_markdown(make_report(cited_answer, MARKDOWN)))
