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
    from highlighter.services import Services
    from highlighter.store.audit_log import ChainHead
    from highlighter.store.audit_verification import VerificationReport

ABOUT = "verify that the audit, answers, documents, files and feedback are as they were written"
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

MAX_LISTED_FAULTS = 100  # broken rows: who sees so many needs no more


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--head", action="store_true", help="print the end of the chain: its number, hash and time")
    what.add_argument("--against", type=Path, metavar="FILE", help="a head that was printed before")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from sqlalchemy.exc import DatabaseError

    from highlighter.store.audit_verification import verify_audit

    key = services.settings.audit_key.reveal()
    against, said = None, ""
    if options.against:
        try:
            against, signed = _read_exported_head(options.against)
        except (OSError, ValueError) as err:
            return print_usage_error(f"{options.against} is not an exported head: {err}.")
        said = _check_signature(against, signed, key)
    try:
        with services.catalog.engine.connect() as connection:
            if options.head:
                return _print_head(connection, key)
            proof = verify_audit(connection, against, services.files)
    except DatabaseError as err:
        print(f"The catalog's file is damaged ({err.orig}): stop everything and restore a backup.", file=sys.stderr)
        return 1
    forged = said == FORGED_SIGNATURE_MESSAGE
    print(_format_json(proof, said, forged) if options.json else _format_proof(proof, said, forged, against))
    return 1 if proof.discrepancies or forged else 0


FORGED_SIGNATURE_MESSAGE = "Its signature was not made with this AUDIT_KEY, or the head was changed."


def _print_head(connection, key: str) -> int:
    from highlighter.store.audit_log import ChainHead, export_head, read_head

    print(json.dumps(export_head(read_head(connection) or ChainHead(0, "", ""), key)))
    return 0


def _read_exported_head(path: Path) -> tuple[ChainHead, str | None]:
    from highlighter.store.audit_log import ChainHead

    read = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(read, dict) or not isinstance(read.get("seq"), int) or not isinstance(read.get("hash"), str):
        raise ValueError("it holds no number and hash")
    return ChainHead(read["seq"], read["hash"], str(read.get("at", ""))), read.get("signature")


def _check_signature(head: ChainHead, signed: Any, key: str) -> str:
    from highlighter.store.audit_log import sign_head

    if not key:
        return "Its signature was not checked: AUDIT_KEY is not set." if signed else ""
    if not signed:
        return "The head is not signed."
    right = hmac.compare_digest(sign_head(head, key), str(signed).encode("ascii", "replace").decode())
    return "The signature is valid." if right else FORGED_SIGNATURE_MESSAGE


def _format_proof(proof: VerificationReport, signature_note: str, forged: bool, against: ChainHead | None) -> str:
    lines = [f"{proof.rows:,} rows, {proof.answers:,} answers, {proof.redacted:,} of them redacted"]
    if proof.unchained_rows:
        lines.append(
            f"{proof.unchained_rows:,} rows were written before there was a chain; it holds the hash of them all"
        )
    if proof.head:
        lines.append(f"head {proof.head.seq}  {proof.head.hash}  {proof.head.at}")
    if against:
        lines.append(f"compared with head {against.seq}  {against.hash}. {signature_note}".rstrip())
    lines += [f"verified: {one}" for one in _list_verified(proof)]
    lines += [f"not verified: {one}" for one in _list_not_verified(proof)]
    lines += [f"!! {_format_row_number(one.seq)}{one.description}" for one in proof.discrepancies[:MAX_LISTED_FAULTS]]
    if len(proof.discrepancies) > MAX_LISTED_FAULTS:
        lines.append(f"!! and {len(proof.discrepancies) - MAX_LISTED_FAULTS:,} more")
    if not proof.discrepancies and not forged:
        whole = not (proof.coverage.uncovered or proof.coverage.uncovered_feedback or proof.coverage.processing)
        lines.append(f"{'All' if whole else 'What was verified'} is as it was written.")
    return "\n".join(lines)


def _list_verified(proof: VerificationReport) -> list[str]:
    seen = proof.coverage
    return [
        "the chain of the audit, and every answer in it",
        f"{_format_count(seen.documents, 'document')}: names, metadata, paths, states, page labels, texts, source maps, "
        f"{_format_count(seen.chunks, 'chunk')}, {_format_count(seen.sentences, 'sentence')}",
        f"{_format_count(seen.originals, 'original')}, {_format_count(seen.made_files, 'PDF')} made of documents (chunks and typeset pages)",
        f"{_format_count(seen.feedback, 'verdict')} of readers",
    ]


def _list_not_verified(proof: VerificationReport) -> list[str]:
    seen, lines = proof.coverage, []
    if seen.uncovered:
        lines.append(
            f"{_format_count(len(seen.uncovered), 'document')} stored before their contents were recorded (all but their originals, and "
            'what was recorded since); "doctor --fix" records them as they are now'
        )
    if seen.uncovered_feedback:
        lines.append(
            f'{_format_count(seen.uncovered_feedback, "verdict")} given before verdicts were recorded; "doctor --fix" records them'
        )
    if seen.processing:
        lines.append(f"{_format_count(seen.processing, 'document')} queued or being read (all but their originals)")
    return [*lines, *NEVER_VERIFIED]


def _format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _format_row_number(seq: int) -> str:
    return f"row {seq}: " if seq else ""


def _format_json(proof: VerificationReport, signature_note: str, forged: bool) -> str:
    return json.dumps(
        {
            "proven": not proof.discrepancies and not forged, "rows": proof.rows, "answers": proof.answers,
            "redacted": proof.redacted, "before_the_chain": proof.unchained_rows,
            "head": proof.head._asdict() if proof.head else None, "signature": signature_note or None,
            "coverage": asdict(proof.coverage), "verified": _list_verified(proof), "not_verified": _list_not_verified(proof),
            "broken": [
                {"seq": one.seq, "why": one.description, "document_id": one.document_id or None, "part": one.part or None}
                for one in proof.discrepancies
            ],
        }
    )  # fmt: skip
