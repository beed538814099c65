"""Answers with markers at given places, and generated ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from highlighter.answering.answer import Answer, SubQuestion
from highlighter.models import Citation, Claim, Source, UnresolvedMarker
from tests.properties import st

CITED = "[Harbour *draft* | p.2]"  # its own signs mean nothing
Places = Sequence[tuple[int, int]]


def answer(
    text: str, cited: Places = (), unresolved: Places = (), claims: Places = (), titles: Sequence[str] = ()
) -> Answer:
    return Answer(
        "a", "Who pays?", text, tuple(map(SubQuestion, titles)),
        citations=tuple(_citation(text, number, *place) for number, place in enumerate(cited, 1)),
        unresolved=tuple(UnresolvedMarker(text[start:end], start, end, "unknown") for start, end in unresolved),
        sources=(Source("Harbour", "Harbour.pdf", document_id="d"),) * len(cited),
        claims=tuple(Claim(text[start:end], start, end, "unsupported", 0.1) for start, end in claims),
        asked_at="2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def cited(text: str, **rest) -> Answer:
    """Return an answer with a citation at every `CITED` of its text."""
    return answer(text, [found.span() for found in re.finditer(re.escape(CITED), text)], **rest)


def _citation(text: str, number: int, start: int, end: int) -> Citation:
    # The name tells one citation from another on every page.
    return Citation(
        number, text[start:end], start, end, "exact", number - 1, "d", f"{number}.pdf", "", 0, None, None, "", 0, 0
    )


def with_empty_marker(made: Answer, place: int) -> Answer:
    """Return the answer with a citation that has no marker in the text."""
    more = _citation(made.text, len(made.citations) + 1, place, place)
    return replace(made, citations=(*made.citations, more), sources=(*made.sources, made.sources[0]))


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
