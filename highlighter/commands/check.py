"""python -m highlighter check: does an answer say what its sources say?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import visible_collections
from highlighter.commands.say import refuse

if TYPE_CHECKING:
    from highlighter.grounding.check import Checked
    from highlighter.models import Source
    from highlighter.services import Services

ABOUT = "hold an answer against its sources, claim by claim"
EXAMPLES = """examples:
  python -m highlighter check answer.txt --source contract.txt minutes.txt
  pbpaste | python -m highlighter check - --source contract.txt --json | jq .grounding_score
  python -m highlighter check answer.md --document 1f0c...

Sources are text files, or documents taken in before (--document ID). Each sentence of the answer that claims something gets
a verdict: supported, partly, contradicted, unsupported; each quotation: verified, altered, not found.

exit status: 0 every claim is supported, 1 some are not, 2 wrong usage."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answer", metavar="ANSWER", help="a text file; - reads standard input")
    parser.add_argument(
        "--source", metavar="FILE", nargs="+", action="extend", type=Path, default=[], help="text files"
    )
    parser.add_argument("--document", metavar="ID", nargs="+", action="extend", default=[], help="documents kept here")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/check")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.models import Source
    from highlighter.viewer.told import with_text

    if not options.source and not options.document:
        return refuse("There are no sources: give --source FILE or --document ID.")
    try:
        answer = sys.stdin.read() if options.answer == "-" else _read(Path(options.answer))
        sources = [Source(path.name, text=_read(path)) for path in options.source]
    except OSError as err:
        return refuse(f"{err.filename} cannot be read: {err.strerror}.")
    sources += [Source("", document_id=one) for one in options.document]
    sources = with_text(sources, services.catalog, visible_collections())
    checked = services.checker.check(answer, sources)
    if options.json:
        from highlighter.api.checked import as_checked

        print(as_checked(checked, sources).model_dump_json(indent=2))
    else:
        print(_for_people(checked, sources))
    return 0 if checked.grounded else 1


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _for_people(checked: Checked, sources: list[Source]) -> str:
    lines = []
    for claim in checked.claims:
        lines.append(f"{claim.verdict:<12} {claim.score:.2f}  {claim.text}")
        if claim.why:
            lines.append(f"    {claim.why}")
        lines += [f"    {sources[one.source].filename}: {' '.join(one.text.split())}" for one in claim.evidence[:1]]
    for one in checked.quotations:
        lines.append(f"{one.compared.state:<12}       “{one.quotation.text}”")
        if one.compared.why:
            lines.append(f"    {one.compared.why}")
    lines.append("")
    lines.append(
        f"grounding {checked.grounding_score:.2f}, confidence {checked.confidence_level} ({checked.confidence:.2f})"
    )
    return "\n".join(lines)
