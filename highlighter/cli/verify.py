"""python -m highlighter verify: compares the audit, and everything that it covers, with the hashes recorded in it."""

from __future__ import annotations

import argparse
import hmac
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highlighter.cli.common import print_usage_error

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from highlighter.services import Services
    from highlighter.store.audit_log import ChainHead
    from highlighter.store.audit_verification import VerificationReport

SUMMARY = "verify that the audit, answers, documents, files and feedback are as they were written"
EXAMPLES = """examples:
  python -m highlighter verify                          # says what was changed, and what was not verified
  python -m highlighter verify --head > head.json       # keep it where nobody can change it who can change the data
  python -m highlighter verify --against head.json      # and nothing up to there was changed or cut off since
  python -m highlighter verify --json

Every original, PDF, text, chunk, sentence, name, answer and verdict is compared with the hash that was recorded when it
was written, which takes as long as reading all files. Documents and feedback of an earlier release have no hashes until
"doctor --fix" records them; until then they are listed as not verified.

The chain by itself shows what was changed, taken out or put in by hand. Whoever writes all of it anew, or cuts off its
end with care, is found out by a head that was exported before. With AUDIT_KEY set, heads are signed.

exit status: 0 what was verified is as it was written, 1 something is not, 2 wrong usage."""

NEVER_VERIFIED = (
    "what can be made again: vectors, the search index, search terms, cached page pictures",
    "which version of a document is the current one, pending deletions, access keys, settings",
)

MAX_LISTED_FAULTS = 100  # further broken rows are only counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--head", action="store_true", help="print the end of the chain: its number, hash and time")
    modes.add_argument("--against", type=Path, metavar="FILE", help="a head that was printed before")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from sqlalchemy.exc import DatabaseError

    from highlighter.store.audit_verification import verify_audit

    key = services.settings.audit_key.reveal()
    against, signature_note = None, ""
    if options.against:
        try:
            against, signed = _read_exported_head(options.against)
        except (OSError, ValueError) as err:
            return print_usage_error(f"{options.against} is not an exported head: {err}.")
        signature_note = _check_signature(against, signed, key)
    try:
        with services.catalog.engine.connect() as connection:
            if options.head:
                return _print_head(connection, key)
            report = verify_audit(connection, against, services.files)
    except DatabaseError as err:
        print(f"The catalog's file is damaged ({err.orig}): stop everything and restore a backup.", file=sys.stderr)
        return 1
    forged = signature_note == FORGED_SIGNATURE_MESSAGE
    print(
        _format_json(report, signature_note, forged)
        if options.json
        else format_report(report, signature_note, forged, against)
    )
    return 1 if report.discrepancies or forged else 0


FORGED_SIGNATURE_MESSAGE = "Its signature was not made with this AUDIT_KEY, or the head was changed."


def _print_head(connection: Connection, key: str) -> int:
    from highlighter.store.audit_log import ChainHead, export_head, read_head

    print(json.dumps(export_head(read_head(connection) or ChainHead(0, "", ""), key)))
    return 0


def _read_exported_head(path: Path) -> tuple[ChainHead, str | None]:
    from highlighter.store.audit_log import ChainHead

    exported = json.loads(path.read_text(encoding="utf-8"))
    if (
        not isinstance(exported, dict)
        or not isinstance(exported.get("seq"), int)
        or not isinstance(exported.get("hash"), str)
    ):
        raise ValueError("it holds no number and hash")
    return ChainHead(exported["seq"], exported["hash"], str(exported.get("at", ""))), exported.get("signature")


def _check_signature(head: ChainHead, signature: Any, key: str) -> str:
    from highlighter.store.audit_log import sign_head

    if not key:
        return "Its signature was not checked: AUDIT_KEY is not set." if signature else ""
    if not signature:
        return "The head is not signed."
    is_valid = hmac.compare_digest(sign_head(head, key), str(signature).encode("ascii", "replace").decode())
    return "The signature is valid." if is_valid else FORGED_SIGNATURE_MESSAGE


def format_report(
    report: VerificationReport, signature_note: str = "", forged: bool = False, against: ChainHead | None = None
) -> str:
    """Return what was verified, what was not, and what is not as it was written."""
    lines = [f"{report.rows:,} rows, {report.answers:,} answers, {report.redacted:,} of them redacted"]
    if report.unchained_rows:
        lines.append(
            f"{report.unchained_rows:,} rows were written before there was a chain; it holds the hash of them all"
        )
    if report.head:
        lines.append(f"head {report.head.seq}  {report.head.hash}  {report.head.at}")
    if against:
        lines.append(f"compared with head {against.seq}  {against.hash}. {signature_note}".rstrip())
    lines += [f"verified: {item}" for item in _list_verified(report)]
    lines += [f"not verified: {item}" for item in _list_not_verified(report)]
    lines += [
        f"!! {_format_row_number(item.seq)}{item.description}" for item in report.discrepancies[:MAX_LISTED_FAULTS]
    ]
    if len(report.discrepancies) > MAX_LISTED_FAULTS:
        lines.append(f"!! and {len(report.discrepancies) - MAX_LISTED_FAULTS:,} more")
    if not report.discrepancies and not forged:
        covers_all = not (report.coverage.uncovered or report.coverage.uncovered_feedback or report.coverage.processing)
        lines.append(f"{'All' if covers_all else 'What was verified'} is as it was written.")
    return "\n".join(lines)


def _list_verified(report: VerificationReport) -> list[str]:
    coverage = report.coverage
    return [
        "the chain of the audit, and every answer in it",
        f"{_format_count(coverage.documents, 'document')}: names, metadata, paths, states, page labels, texts, source maps, "
        f"{_format_count(coverage.chunks, 'chunk')}, {_format_count(coverage.sentences, 'sentence')}",
        f"{_format_count(coverage.originals, 'original')}, {_format_count(coverage.made_files, 'PDF')} made of documents (chunks and typeset pages)",
        f"{_format_count(coverage.feedback, 'verdict')} of readers",
    ]


def _list_not_verified(report: VerificationReport) -> list[str]:
    coverage, lines = report.coverage, []
    if coverage.uncovered:
        lines.append(
            f"{_format_count(len(coverage.uncovered), 'document')} stored before their contents were recorded (all but their originals, and "
            'what was recorded since); "doctor --fix" records them as they are now'
        )
    if coverage.uncovered_feedback:
        lines.append(
            f'{_format_count(coverage.uncovered_feedback, "verdict")} given before verdicts were recorded; "doctor --fix" records them'
        )
    if coverage.processing:
        lines.append(f"{_format_count(coverage.processing, 'document')} queued or being read (all but their originals)")
    return [*lines, *NEVER_VERIFIED]


def _format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _format_row_number(seq: int) -> str:
    return f"row {seq}: " if seq else ""


def _format_json(report: VerificationReport, signature_note: str, forged: bool) -> str:
    return json.dumps(
        {
            "proven": not report.discrepancies and not forged, "rows": report.rows, "answers": report.answers,
            "redacted": report.redacted, "before_the_chain": report.unchained_rows,
            "head": report.head._asdict() if report.head else None, "signature": signature_note or None,
            "coverage": asdict(report.coverage), "verified": _list_verified(report), "not_verified": _list_not_verified(report),
            "broken": [
                {"seq": discrepancy.seq, "why": discrepancy.description, "document_id": discrepancy.document_id or None, "part": discrepancy.part or None}
                for discrepancy in report.discrepancies
            ],
        }
    )  # fmt: skip
