"""python -m highlighter ask: an answer, and the sentences that it stands on."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import visible_collections
from highlighter.commands.far import far
from highlighter.commands.say import refuse
from highlighter.commands.search import BOLD, FAINT, PLAIN

if TYPE_CHECKING:
    from highlighter.api.answer_schemas import AnswerOut, CitationOut
    from highlighter.generation.ask import Ask
    from highlighter.services import Services

ABOUT = "answer a question from the documents, every claim with its sentence"
EXAMPLES = """examples:
  python -m highlighter ask "Who pays for delay?"
  python -m highlighter ask "Compare sick leave and study leave" --mode comparison --style footnote
  python -m highlighter ask "Who may dive?" --source notes.txt --source rules.txt
  python -m highlighter ask "notice period" --collection contracts --json | jq -r '.citations[].quote'

Without a language model (LLM_MODELS) the answer is made of the best sentences themselves, quoted. With one, it is
written by the model, and held against the sources all the same.

exit status: 0 answered, 1 refused or failed, 2 wrong usage."""


def arguments(parser: argparse.ArgumentParser) -> None:
    from highlighter.generation.ask import FORMATS, GROUNDED, INLINE, MODES, PIECES, PLAIN, STYLES

    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--mode", choices=MODES, default=GROUNDED)
    parser.add_argument("--format", choices=FORMATS, default=PLAIN)
    parser.add_argument("--style", choices=STYLES, default=INLINE, help="of citations (default: %(default)s)")
    parser.add_argument("--collection", help="only this one")
    parser.add_argument("--source", action="append", type=Path, metavar="FILE", help="answer from this text instead")
    parser.add_argument("--limit", type=int, default=PIECES, help="passages to be read (default: %(default)s)")
    parser.add_argument("--instructions", default="", help="for the model that writes")
    parser.add_argument("--strict", action="store_true", help="each sentence with its exact quote, or no answer at all")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/answers")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.errors import BadRequest
    from highlighter.generation.ask import Ask, Given

    try:
        sources = options.source and tuple(
            Given(path.read_text(encoding="utf-8", errors="replace"), path.name) for path in options.source
        )
        asked = Ask(
            options.question, options.mode, options.format, options.style, sources=sources,
            filters={"collection": options.collection} if options.collection else {},
            instructions=options.instructions, require_grounding=options.strict, limit=options.limit,
        )  # fmt: skip
    except OSError as err:
        return refuse(f"{err.filename} cannot be read: {err.strerror}.")
    except BadRequest as err:
        return refuse(err.detail)
    answer = _answer(services, asked)
    print(answer.model_dump_json(indent=2) if options.json else _for_people(answer))
    for warning in answer.warnings:
        print(warning, file=sys.stderr)
    return 1 if answer.refused else 0


def _answer(services: Services, asked: Ask) -> AnswerOut:
    with far(services) as client:
        if client:
            given = asked.sources and [{"text": one.text, "filename": one.filename} for one in asked.sources]
            return client.ask(
                asked.question, mode=asked.mode, format=asked.format, citation_style=asked.citation_style,
                filters=dict(asked.filters), sources=given, instructions=asked.instructions,
                require_grounding=asked.require_grounding, limit=asked.limit,
            )  # fmt: skip
    from highlighter.api.answers import as_answer
    from highlighter.viewer.links import Links

    return as_answer(services.answering.answer(asked, visible_collections()), Links())


def _for_people(answer: AnswerOut) -> str:
    if answer.refused:
        return answer.text or f"No answer: {answer.refusal_reason}."
    bold, faint, plain = (BOLD, FAINT, PLAIN) if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else ("",) * 3
    lines = [answer.text, ""]
    for citation in {(one.source, one.quote_start): one for one in answer.citations}.values():
        lines.append(f"{bold}{citation.filename}{plain}  {faint}{_where(citation)}{plain}")
        lines.append(f"    {' '.join(citation.quote.split())}")
    how = [f"confidence {answer.confidence_level} ({answer.confidence:.2f})", f"by {answer.model_used}"]
    return "\n".join([*lines, "", f"{faint}{' · '.join(how)}{plain}"])


def _where(citation: CitationOut) -> str:
    page = f"page {citation.page}" if citation.page else ""
    chunk = f"chunk {citation.chunk_index}" if citation.chunk_index is not None else ""
    return ", ".join(filter(None, [page, chunk, citation.document_id]))
