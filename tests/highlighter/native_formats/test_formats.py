"""Tests of the recorded shapes against the SDKs of their vendors, and of what no vendor sends."""

from __future__ import annotations

import importlib
import json

import pytest
from pydantic import TypeAdapter

from highlighter.cpu_budget import set_cpu_budget
from highlighter.errors import BadRequest, CpuBudgetExceeded, TooLarge
from highlighter.native_formats.answer_spans import UTF8_BYTES, UTF16_UNITS, AnswerOffsets
from highlighter.native_formats.formats import FORMATS, CoveredText, read_response
from highlighter.native_formats.native_response import MAX_MERGED, NativeSource
from tests.highlighter.native_formats.recorded_responses import RESPONSES


@pytest.mark.parametrize("recorded", [one for one in RESPONSES if one.sdk], ids=lambda recorded: recorded.name)
def test_recorded_response_is_one_of_the_vendors_own_types(recorded):
    module, _, name = recorded.sdk.rpartition(".")
    model = getattr(importlib.import_module(module), name)
    assert TypeAdapter(model).validate_python(recorded.response)


def test_every_format_has_a_recorded_response():
    assert {one.name for one in FORMATS} - {"document"} <= {recorded.format for recorded in RESPONSES}
    assert all(recorded.documentation for recorded in RESPONSES)


@pytest.mark.parametrize("recorded", RESPONSES, ids=lambda recorded: recorded.name)
def test_truncated_fields_and_wrong_types_are_read_as_missing(recorded):
    """Whatever the fields hold, the response is read, or refused with a sentence."""
    for wrong in (None, 7, "x", [], {}, [None, 3, "x"], {"type": "text"}, -1, 1e300, True):
        for damaged in damage(recorded.response, wrong):
            try:
                _, response = read_response(damaged, recorded.answer, recorded.sources)
            except BadRequest:
                continue
            for citation in response.citations:
                assert citation.start is None or 0 <= citation.start <= citation.end <= len(response.text)


def damage(value, wrong):
    """Yield the value with each of its fields replaced, one at a time."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {**value, key: wrong}
            yield from ({**value, key: damaged} for damaged in damage(inner, wrong))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            yield from ([*value[:index], damaged, *value[index + 1 :]] for damaged in damage(inner, wrong))


@pytest.mark.parametrize("response", [7, {}, [], {"colour": "red"}, [1, 2], "data: {broken", None, True, '{"a": 1}'])
def test_unknown_format_is_refused_with_a_sentence(response):
    with pytest.raises(BadRequest) as refused:
        read_response(response)
    assert "response" in refused.value.detail


def test_stream_is_read_the_same_as_text_as_lines_and_as_events():
    (recorded,) = (one for one in RESPONSES if one.name == "anthropic_stream")
    lines = [line for line in recorded.response.splitlines() if line.startswith("data:")]
    json_lines = "\n".join(line.removeprefix("data: ") for line in lines)
    events = [json.loads(line) for line in json_lines.splitlines()]
    whole = read_response(recorded.response)
    assert all(read_response(given) == whole for given in (lines, json_lines, events))


TEXT = "⛴ 渡輪 leaves at 7️⃣. 好。"


@pytest.mark.parametrize("unit", [UTF8_BYTES, UTF16_UNITS])
def test_offsets_of_every_unit_lead_to_the_same_characters(unit):
    answer, encoding = AnswerOffsets(TEXT), "utf-16-le" if unit == UTF16_UNITS else "utf-8"
    size = 2 if unit == UTF16_UNITS else 1
    for start in range(len(TEXT)):
        for end in range(start + 1, len(TEXT) + 1):
            first, last = (len(TEXT[:at].encode(encoding)) // size for at in (start, end))
            assert answer.find_span(first, last, unit=unit) == (start, end)


@pytest.mark.parametrize(
    ("start", "end", "cited", "span"),
    [
        (0, 3, "leaves", (5, 11)),  # wrong offsets: the cited text is found
        (9, 15, "leaves", (5, 11)),
        (5, 10, "leaves", (5, 11)),  # the end is the last character
        (5, 11, "", (5, 11)),
        (5, 9_999, "", (None, None)),
        (0, 3, "nothing", (None, None)),
        (None, None, "leaves", (5, 11)),
        (11, 5, "", (None, None)),
    ],
)  # fmt: skip
def test_cited_text_counts_more_than_offsets(start, end, cited, span):
    assert AnswerOffsets(TEXT).find_span(start, end, cited) == span


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_separators_within_the_json_of_a_stream_are_text(separator, end):
    words = f"It leaves{separator}at seven."
    chunk = json.dumps({"choices": [{"delta": {"content": words}}]}, ensure_ascii=False)
    if separator < "\x20":  # control characters are escaped in JSON
        chunk = json.dumps({"choices": [{"delta": {"content": words}}]})
    stream = f"data: {chunk}{end}{end}data: [DONE]{end}"
    assert [read_response(given)[1].text for given in (stream, [stream])] == [words, words]


@pytest.mark.parametrize(
    "answer",
    [
        "{x} is a set.\nIt is small.",
        "id: 5 is the ferry's.",
        "event: the ferry leaves",
        ": a dash?\nYes.",
        "{note} 7\n8",
    ],
)
def test_answer_that_begins_as_a_stream_does_is_a_text(answer):
    assert read_response(answer) == ("text", read_response({"answer": answer, "sources": []})[1])


WRONG_VALUES = [["a"], {"a": 1}, None, 7]


@pytest.mark.parametrize("wrong", WRONG_VALUES, ids=str)
@pytest.mark.parametrize(
    "make",
    [
        lambda wrong: {"content": [{"type": "text", "text": "A.", "citations": [{"type": wrong}]}], "answer": "A."},
        lambda wrong: {"type": "ai", "content": [{"type": "text", "text": "A.", "citations": [{"type": wrong}]}]},
        lambda wrong: {
            "generation_id": "1", "text": "A.", "documents": [{"id": "d", "text": "A."}],
            "citations": [{"start": 0, "end": 2, "text": "A.", "document_ids": [wrong, "d"], "sources": [{"id": wrong}]}],
        },
    ],
)  # fmt: skip
def test_types_and_ids_that_are_no_texts_are_read_as_missing(make, wrong):
    assert read_response(make(wrong))[1].text == "A."


LONG = "a" * 90_000
SIZES = [
    {"candidates": [{"content": {"parts": [{"text": ""}] * 10_001}}]},
    {"candidates": [{"content": {"parts": [{"text": "A"}]}, "groundingMetadata": {"groundingChunks": [{}] * 1_001}}]},
    {"content": "A", "sources": [{"source": {"name": "a"}, "document": ["x"] * 1_001}]},
    {"object": "response", "output": [{"type": "file_search_call", "results": [{"file_id": "f"}] * 1_001}]},
    {"object": "response", "output": [{"type": "message", "content": [
        {"type": "output_text", "text": "A", "annotations": [{"type": "file_citation"}] * 10_001}
    ]}]},
    {"generation_id": "1", "text": "A", "documents": [{"id": "d"}] * 1_001},
    {"generation_id": "1", "text": LONG * 2, "citations": [{"text": LONG}]},
    {"answer": LONG * 2, "sources": ["a"]},
]  # fmt: skip


@pytest.mark.parametrize("response", SIZES, ids=range(len(SIZES)))
def test_response_of_more_than_any_vendor_sends_is_refused(response):
    with pytest.raises(TooLarge, match="the limit is 1"):
        read_response(response)


COUNTED = [
    {"answer": "A [1].", "sources": ["a"]},
    {"generation_id": "1", "text": "A", "citations": [{"text": "A"}]},
    {"candidates": [{"content": {"parts": [{"text": "A"}]}, "groundingMetadata": {"groundingSupports": [{}]}}]},
    [{"type": "content_block_delta", "index": 0, "delta": {"text": "A"}}],
    [{"type": "response.output_text.delta", "delta": "A"}],
]


@pytest.mark.parametrize("response", COUNTED, ids=range(len(COUNTED)))
def test_work_on_a_response_counts_for_the_budget_of_its_request(response):
    set_cpu_budget(0)
    try:
        with pytest.raises(CpuBudgetExceeded):
            read_response(response)
    finally:
        set_cpu_budget(None)


def test_many_parts_and_passages_stay_in_their_places():
    contents = [{"text": "ab"}] * 10_000
    citations = [{"content_index": 9_999, "start": 0, "end": 1, "sources": [{"id": "d"}]}]
    _, response = read_response({"message": {"content": contents, "citations": citations}})
    assert (response.citations[0].start, response.citations[0].end) == (19_998, 19_999)
    passages = [NativeSource(passages=(str(number),)) for number in range(2 * MAX_MERGED)]
    merged = NativeSource()
    for passage in passages:
        merged = merged.merge(passage)
    assert merged.passages == tuple(map(str, range(MAX_MERGED)))


@pytest.mark.parametrize(
    ("span", "expected"), [((0, 2), True), ((2, 4), False), ((4, 6), True), ((9, 12), True), ((30, 31), False)]
)
def test_covered_text_is_that_of_any_span(span, expected):
    covered = CoveredText([(5, 20), (0, 2), (6, 7), (None, 3)])
    assert covered.overlaps(*span) is expected
