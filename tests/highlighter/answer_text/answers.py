"""Answers with markers at given spans, and strategies that generate answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from highlighter.answering.answer import Answer, SubQuestion
from highlighter.models import Citation, Claim, Source, UnresolvedMarker
from tests.properties import st

CITED = "[Harbour *draft* | p.2]"  # markup in it has no effect
Spans = Sequence[tuple[int, int]]


def answer(
    text: str, cited: Spans = (), unresolved: Spans = (), claims: Spans = (), titles: Sequence[str] = ()
) -> Answer:
    return Answer(
        "a", "Who pays?", text, tuple(map(SubQuestion, titles)),
        citations=tuple(_citation(text, number, *span) for number, span in enumerate(cited, 1)),
        unresolved=tuple(UnresolvedMarker(text[start:end], start, end, "unknown") for start, end in unresolved),
        sources=(Source("Harbour", "Harbour.pdf", document_id="d"),) * len(cited),
        claims=tuple(Claim(text[start:end], start, end, "unsupported", 0.1) for start, end in claims),
        asked_at="2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def cited(text: str, **options) -> Answer:
    """Return an answer with a citation at every `CITED` in its text."""
    return answer(text, [match.span() for match in re.finditer(re.escape(CITED), text)], **options)


def _citation(text: str, number: int, start: int, end: int) -> Citation:
    # The file name identifies the citation in each rendering.
    return Citation(
        number, text[start:end], start, end, "exact", number - 1, "d", f"{number}.pdf", "", 0, None, None, "", 0, 0
    )


def with_empty_marker(base_answer: Answer, offset: int) -> Answer:
    """Return the answer with a citation that has no marker in the text."""
    citation = _citation(base_answer.text, len(base_answer.citations) + 1, offset, offset)
    return replace(
        base_answer,
        citations=(*base_answer.citations, citation),
        sources=(*base_answer.sources, base_answer.sources[0]),
    )


WORDS = st.sampled_from(
    [
        "boats",
        "pay",
        "4,200",
        "合約",
        "工程師：",
        "「延誤」",
        "2*3",
        "snake_case",
        "R&D",
        "x < y",
        "100 %",
        "#1",
        "a|b",
        "~5",
        "½",
    ]
)
_INLINE = st.one_of(
    WORDS,
    st.just(CITED),
    st.builds("**{}**".format, WORDS),
    st.builds("*{}*".format, WORDS),
    st.builds("***{}***".format, WORDS),
    st.builds("**{} {} {}**".format, WORDS, st.just(CITED), WORDS),
    st.builds("`{}`".format, st.sampled_from(["code", "a b", "x = 1", "{c}"])),
    st.builds("[{}](https://evil.example/{})".format, st.just("see"), st.just("x")),
    st.sampled_from(
        [r"\*star\*", r"\[", r"\`", "&amp;", "&lt;b&gt;", "<b>x</b>", "![i](http://x/y.png)", "http://x.example"]
    ),
)
_LINE = st.builds(
    lambda parts, joint: joint.join(parts), st.lists(_INLINE, min_size=1, max_size=5), st.sampled_from([" ", " ", ""])
)
_ITEM = _LINE.map(lambda line: f"- {line}")
_NUMBERED = st.builds("{}. {}".format, st.integers(0, 12), _LINE)
_BLOCK = st.one_of(
    _LINE,
    st.builds("{}\n{}".format, _LINE, _LINE),
    st.builds("{} {}".format, st.sampled_from(["#", "##", "####"]), _LINE),
    st.lists(_ITEM, min_size=1, max_size=3).map("\n".join),
    st.lists(_NUMBERED, min_size=1, max_size=3).map("\n".join),
    st.builds("- {}\n  - {}\n    1. {}\n  - {}\n- {}".format, _LINE, _LINE, _LINE, _LINE, _LINE),
    st.builds("| {} | B |\n|---|---|\n| {} | {} | {} |\n| {} |".format, *[_LINE.map(lambda line: line.replace("a|b", r"a\|b"))] * 5),
    st.builds("```\nif x:\n    {}\n```".format, st.sampled_from(["pay()", "`", f"pay()  # {CITED}", "a|b"])),
    st.builds("> {}\n> {}".format, _LINE, _LINE),
    st.just("---"),
)  # fmt: skip
MARKDOWN_TEXTS = st.lists(_BLOCK, min_size=1, max_size=5).map("\n\n".join)
