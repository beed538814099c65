"""python -m highlighter ask: an answer, and the sentences that it stands on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.answering.answer import EXTRACTIVE_MODEL, QUOTED_DIRECTLY
from highlighter.cli.common import (
    add_filter_arguments,
    build_filters,
    choose_text_styles,
    connect_remote,
    print_usage_error,
)

if TYPE_CHECKING:
    from highlighter.answering.request import QuestionRequest
    from highlighter.schemas.answers import AnswerOut, CitationOut
    from highlighter.services import Services

SUMMARY = "answer a question from the documents, every claim with its sentence"
EXAMPLES = """examples:
  python -m highlighter ask "Who pays for delay?"
  python -m highlighter ask "Compare sick leave and study leave" --mode comparison --style footnote
  python -m highlighter ask "Who may dive?" --source notes.txt --source rules.txt
  python -m highlighter ask "Who insures the works?" --tag signed --where year=2024
  python -m highlighter ask "notice period" --collection contracts --json | jq -r '.citations[].quote'

Without a language model (LLM_MODELS) the answer quotes the best sentences. With one, the model writes the answer, and
it is checked against the sources.

exit status: 0 answered, 1 refused or failed, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from highlighter.answering.request import CITATION_STYLES, DEFAULT_PASSAGES, FORMATS, GROUNDED, INLINE, MODES, PLAIN

    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--mode", choices=MODES, default=GROUNDED)
    parser.add_argument("--format", choices=FORMATS, default=PLAIN)
    parser.add_argument("--style", choices=CITATION_STYLES, default=INLINE, help="of citations (default: %(default)s)")
    add_filter_arguments(parser)
    parser.add_argument("--source", action="append", type=Path, metavar="FILE", help="answer from this text instead")
    parser.add_argument(
        "--limit", type=int, default=DEFAULT_PASSAGES, help="passages to be read (default: %(default)s)"
    )
    parser.add_argument("--instructions", default="", help="for the model that writes")
    parser.add_argument("--strict", action="store_true", help="each sentence with its exact quote, or no answer at all")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/answers")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.answering.request import CallerSource, QuestionRequest
    from highlighter.errors import BadRequest

    try:
        sources = options.source and tuple(
            CallerSource(path.read_text(encoding="utf-8", errors="replace"), path.name) for path in options.source
        )
        request = QuestionRequest(
            options.question, options.mode, options.format, options.style, sources=sources,
            filters=build_filters(options),
            instructions=options.instructions, require_grounding=options.strict, limit=options.limit,
        )  # fmt: skip
    except OSError as err:
        return print_usage_error(f"{err.filename} cannot be read: {err.strerror}.")
    except BadRequest as err:
        return print_usage_error(err.detail)
    answer = _fetch_answer(services, request)
    print(answer.model_dump_json(indent=2) if options.json else _format_answer(answer))
    for warning in answer.warnings:
        print(warning, file=sys.stderr)
    return 1 if answer.refused else 0


def _fetch_answer(services: Services, request: QuestionRequest) -> AnswerOut:
    with connect_remote(services) as client:
        if client:
            sources = request.sources and [
                {"text": source.text, "filename": source.filename} for source in request.sources
            ]
            return client.ask(
                request.question, mode=request.mode, format=request.format, citation_style=request.citation_style,
                filters=dict(request.filters), sources=sources, instructions=request.instructions,
                require_grounding=request.require_grounding, limit=request.limit,
            )  # fmt: skip
    from highlighter.serializers.answers import serialize_answer
    from highlighter.urls import Links

    return serialize_answer(
        services.answer_pipeline.answer(request, get_visible_collections()), Links(services.settings.public_url)
    )


def _format_answer(answer: AnswerOut) -> str:
    if answer.refused:
        return answer.text or f"No answer: {answer.refusal_reason}."
    bold, faint, plain = choose_text_styles()
    lines = [answer.text, ""]
    for citation in {(citation.source, citation.quote_start): citation for citation in answer.citations}.values():
        lines.append(f"{bold}{citation.filename}{plain}  {faint}{_format_location(citation)}{plain}")
        lines.append(f"    {' '.join(citation.quote.split())}")
    author = QUOTED_DIRECTLY if answer.model_used == EXTRACTIVE_MODEL else f"by {answer.model_used}"
    details = [answer.headline.text, author]
    return "\n".join([*lines, "", f"{faint}{' · '.join(filter(None, details))}{plain}"])


def _format_location(citation: CitationOut) -> str:
    page = f"page {citation.page}" if citation.page else ""
    chunk = f"chunk {citation.chunk_index}" if citation.chunk_index is not None else ""
    quoted = (
        "quoted exactly" if citation.quoted == "verified" else f"quote {citation.quoted}" if citation.quoted else ""
    )
    answers = f"answers the question: {citation.probability:.2f}" if citation.probability else ""
    return ", ".join(filter(None, [page, chunk, citation.document_id, quoted, answers]))
