"""python -m highlighter check: does an answer say what its sources say?"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error
from highlighter.errors import UnreadableFile
from highlighter.models import Source

if TYPE_CHECKING:
    from highlighter.schemas.checks import CheckResponse
    from highlighter.services import Services

SUMMARY = "check an answer against its sources, claim by claim"
EXAMPLES = """examples:
  python -m highlighter check answer.txt --source contract.pdf minutes.txt
  pbpaste | python -m highlighter check - --source contract.txt --json | jq .grounding_score
  python -m highlighter check answer.md --document 1f0c...
  python -m highlighter check --jsonl answers.jsonl --out checked.jsonl

Sources are files of any kind that can be ingested, or stored documents (--document ID). Each sentence of the answer that
claims something gets a verdict: supported, partly, contradicted, unsupported, wrong_source; each quotation: verified,
altered, not found.

A batch has an answer a line: {"id": 1, "answer": "...", "sources": [{"text": "...", "filename": "..."}, {"document_id": "1f0c..."}]}
and its check the same:       {"id": 1, "grounded": true, "claims": [...], ...}, or {"id": 1, "error": "..."}
With DASK_SCHEDULER=tcp://HOST:PORT a batch is computed by the workers of a Dask cluster.

exit status: 0 every claim is supported, 1 some are not, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answer", nargs="?", metavar="ANSWER", help="a text file; - reads standard input")
    parser.add_argument("--jsonl", metavar="IN", help="a file of answers with their sources, or - for standard input")
    parser.add_argument("--out", metavar="OUT", default="-", help="where a batch is written (default: standard output)")
    parser.add_argument(
        "--source",
        metavar="FILE",
        nargs="+",
        action="extend",
        type=Path,
        default=[],
        help="texts, PDFs, office files, ...",
    )
    parser.add_argument("--document", metavar="ID", nargs="+", action="extend", default=[], help="documents kept here")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/check")


def run(services: Services, options: argparse.Namespace) -> int:
    if (options.jsonl is None) == (options.answer is None):
        return print_usage_error("Name an ANSWER (or -) with its sources, or a batch with --jsonl.")
    if options.jsonl is not None:
        from highlighter.cli.check_batch import run_check_batch

        return run_check_batch(services, options.jsonl, options.out)
    if not options.source and not options.document:
        return print_usage_error("No sources given: use --source FILE or --document ID.")
    try:
        answer = sys.stdin.read() if options.answer == "-" else _read_text(Path(options.answer))
        sources = [Source(path.name, text=_read_source(services, path)) for path in options.source]
    except OSError as err:
        return print_usage_error(f"{err.filename} cannot be read: {err.strerror}.")
    except _UnreadableSource as err:
        return print_usage_error(str(err))
    sources += [Source("", document_id=document_id) for document_id in options.document]
    result, names = _check_answer(services, answer, sources)
    print(result.model_dump_json(indent=2) if options.json else _format_result(result, names))
    return 1 if result.grounded is False else 0


def _check_answer(services: Services, answer: str, sources: list[Source]) -> tuple[CheckResponse, list[str]]:
    """Check an answer; return the result and the name of each source."""
    with connect_remote(services) as client:
        if client:
            sent_sources = [
                {"document_id": source.document_id}
                if source.document_id
                else {"text": source.text, "filename": source.filename}
                for source in sources
            ]
            return client.check(answer, sent_sources), [source.filename or source.document_id for source in sources]
    from highlighter.grounding.cited_sources import check_answer
    from highlighter.serializers.checks import serialize_check
    from highlighter.store.source_texts import load_source_texts

    loaded = load_source_texts(sources, services.catalog, get_visible_collections())
    result = serialize_check(check_answer(services.answer_checker, answer, loaded), loaded)
    return result, [source.filename for source in loaded]


class _UnreadableSource(Exception):
    """The error for a source without text that can be extracted."""


def _read_source(services: Services, path: Path) -> str:
    """Return the text of a source, read as ingestion reads it: a file of another kind than text in a child process."""
    from ingest.file_kinds import detect_kind_of_bytes
    from ingest.preparation import SourceFile, extract_text
    from ingest.readers.txt_encoding import decode_text

    content = path.read_bytes()  # once, as it may be a pipe
    try:
        kind = detect_kind_of_bytes(content, path.name)
        if kind == "txt":
            return decode_text(content)[0]
        with tempfile.TemporaryDirectory() as work:
            copy = Path(work, "source")
            copy.write_bytes(content)
            text: str = services.process_pool.run(extract_text, SourceFile(copy, kind, path.name), Path(work))
            return text
    except UnreadableFile as err:
        raise _UnreadableSource(f"{path} cannot be read: {err.detail}") from err


def _read_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _format_result(result: CheckResponse, names: list[str]) -> str:
    lines = []
    for claim in result.claims:
        lines.append(f"{claim.verdict:<12} {claim.score:.2f}  {claim.text}")
        if claim.why:
            lines.append(f"    {claim.why}")
        lines += [f"    {names[support.source]}: {' '.join(support.text.split())}" for support in claim.evidence[:1]]
    for quotation in result.quotations:
        lines.append(f"{quotation.state:<12}       “{quotation.text}”")
        if quotation.why:
            lines.append(f"    {quotation.why}")
    lines.append("")
    grounding = "no claims" if result.grounding_score is None else f"grounding {result.grounding_score:.2f}"
    lines.append(f"{grounding}, confidence {result.confidence_level} ({result.confidence:.2f})")
    return "\n".join(lines)
