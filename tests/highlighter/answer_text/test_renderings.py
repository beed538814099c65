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
        yield lambda made, format: {
            "page": of_page(made, format), "html": of_pack_page(made, format), "word": of_word(made, format),
            "markdown": of_markdown(made, format),
        }  # fmt: skip


def pack_report(made: Answer, format: str) -> Report:
    kept = StoredAnswer(made, {"format": format}, AnswerRecord("a", "{}", (), ()), {"seq": 1, "hash": "h", "at": ""})
    return build_report(sort_citations(kept))


def of_page(made: Answer, format: str) -> list[str]:
    text = render_template(
        "_told.html",
        part="answer",
        shown=build_answer_presentation(serialize_answer(made, Links()), "", "/?q=Who", "", format),
    )
    (prose,) = html.fromstring(text).find_class("prose") or [html.Element("div")]
    return split("".join(read_html(prose, lambda chip: chip.get("data-name", "0.pdf").removesuffix(".pdf"))))


def answer_page(made: Answer, format: str) -> str:
    return render_template(
        "_told.html",
        part="answer",
        shown=build_answer_presentation(serialize_answer(made, Links()), "", "/?q=Who", "", format),
    )


def of_pack_page(made: Answer, format: str) -> list[str]:
    (body,) = html.fromstring(render_html(pack_report(made, format))).find_class("answer")
    return split("".join(read_html(body, lambda link: link.get("href", "#note-0").removeprefix("#note-"))))


def read_html(node: html.HtmlElement, number_of: Callable[[html.HtmlElement], str]) -> Iterator[str]:
    classes = (node.get("class") or "").split()
    if node.tag == "template" or "pill" in classes:
        pass
    elif "chip" in classes or "cite" in classes:
        yield f"‹{number_of(node)}›"
    else:
        yield BREAK * (node.tag in BLOCKS) + (node.text or "")
        for child in node:
            yield from read_html(child, number_of)
        yield BREAK * (node.tag in BLOCKS)
    yield node.tail or ""


def of_word(made: Answer, format: str) -> list[str]:
    body = docx.Document(io.BytesIO(render_word(pack_report(made, format)))).element.body
    read = []
    for paragraph in list(body.iter(qn("w:p")))[2:]:  # after the question, and how it was made
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        words = "".join(map(word_text, paragraph.iter(qn("w:t"), qn("w:br"), qn("w:footnoteReference"))))
        if style is not None and style.get(qn("w:val")) == "Heading2" and words in ("What was checked", "Proof"):
            break
        read.append(words)
    return split(BREAK.join(read))


def word_text(element) -> str:
    if element.tag == qn("w:footnoteReference"):
        return f"‹{element.get(qn('w:id'))}›"
    return element.text if element.tag == qn("w:t") else BREAK


def of_markdown(made: Answer, format: str) -> list[str]:
    written = render_markdown(pack_report(made, format))
    body = re.split(
        r"\n\n(?=\[\^1\]: |## What was checked\n|## Proof\n)", written.partition("\n\n")[2].partition("\n\n")[2]
    )[0]
    blocks = parse_markdown(re.sub(r"(?<!\\)((?:\\\\)*)\[\^(\d+)\]", r"\1‹\2›", body), frozenset())
    return split(BREAK.join(words_of(blocks)))


def words_of(blocks) -> Iterator[str]:
    for block in blocks:
        yield join_text(block.characters)
        yield from words_of(block.children)


def split(text: str) -> list[str]:
    """Return words and citations, whatever space stands between them."""
    return re.sub(r"(‹\d+›)", r" \1 ", text).split()


def agree(renderings: Rendered) -> list[str]:
    words = renderings["page"]
    assert renderings == dict.fromkeys(renderings, words)
    return words


def test_a_markdown_answer_reads_the_same_everywhere(rendered):
    words = agree(rendered(cited(TABLE), MARKDOWN))
    assert " ".join(words) == (
        "Fees The fee is 4 pounds ‹1› , not five. Boat Fee Small 4 ‹2› Large 9 by night ‹3› Late boats: first ‹4›"
        " *second* 依據「合約」後面 ‹5› 。"
    )


def test_plain_text_is_literal_everywhere(rendered):
    text = f"The **fee** is `4` {CITED}.\n# no title\n| a | b |\n|---|---|\n1. \\* &amp; <b>"
    words = agree(rendered(cited(text), PLAIN))
    assert words == text.replace(f"{CITED}.", "‹1› .").split()


@given(MARKDOWN_TEXTS)
@example(TABLE)
@settings(max_examples=15)
def test_words_and_citations_stand_in_the_same_order_in_every_rendering(rendered, text):
    made = cited(text)
    words = agree(rendered(made, MARKDOWN))
    numbers = [word for word in words if re.fullmatch(r"‹\d+›", word)]
    assert numbers == [f"‹{number}›" for number in range(1, len(made.citations) + 1)]


@given(
    st.text("ab *-#[]|>\n甲1.&_\\", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=3).map(sorted),
    st.sampled_from([PLAIN, MARKDOWN]),
)
@settings(max_examples=25)
def test_no_letter_and_no_citation_is_lost_whatever_the_text(rendered, text, places, format):
    made = answer(text + "\n\nend", [(min(at, len(text)), min(at + length, len(text))) for at, length in places])
    words = " ".join(agree(rendered(made, format)))
    assert sorted(re.findall(r"‹(\d+)›", words)) == [str(number) for number in range(1, len(places) + 1)]
    covered = {at for one in find_markers(made) for at in range(one.start, one.end)}
    left = "".join(letter for at, letter in enumerate(made.text) if at not in covered and letter in "ab甲")
    assert re.sub("[^ab甲]", "", words.removesuffix("end")) == left


def test_a_citation_without_a_marker_follows_the_claim_that_it_supports(rendered):
    text = "| Boat | Fee |\n|---|---|\n| Small | The fee is 4. |\n\nThat is all."
    made = with_empty_marker(cited(f"{text} {CITED}"), text.index("\n\nThat"))
    words = [rendered(made, MARKDOWN)[name] for name in ("html", "word", "markdown")]
    assert words == ["Boat Fee Small The fee is 4. ‹1› That is all. ‹2›".split()] * 3
    assert rendered(made, MARKDOWN)["page"] == "Boat Fee Small The fee is 4. ‹2› That is all. ‹1›".split()


def test_a_reference_to_no_source_stays_in_its_place(rendered):
    text = "Yes [Moon, p.9], no."
    page = rendered(answer(text, unresolved=[(4, 15)]), MARKDOWN)
    assert page.pop("page") == ["Yes", "‹0›", ",", "no."]
    assert page.pop("html") == ["Yes", "‹0›", ",", "no."]
    assert page == dict.fromkeys(page, text.split())


@pytest.mark.usefixtures("rendered")
def test_only_citations_are_links():
    text = f"[see](http://evil.example) <http://evil.example> ![x](http://evil.example/a.png) <script>x</script> {CITED}\n\n[r]: http://evil.example"
    made = cited(text)
    for page in (answer_page(made, MARKDOWN), render_html(pack_report(made, MARKDOWN))):
        tree = html.fromstring(page)
        assert not [one for one in tree.iter("a", "img", "script", "link") if "evil" in str(one.attrib)]
        assert not list(tree.iter("script", "img"))
    assert not re.search(r"(?<!\\)\]\(http", render_markdown(pack_report(made, MARKDOWN)))
