"""python -m highlighter pack: an answer with all that proves it, as one zip."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error

if TYPE_CHECKING:
    from highlighter.client import Client
    from highlighter.services import Services

SUMMARY = "export an answer with its evidence as one zip"
EXAMPLES = """examples:
  python -m highlighter pack 3f2a... -o delay.zip      # the id that ask --json and /answers/<id> show
  python -m highlighter ask "Who pays for delay?" --json | jq -r .id | xargs python -m highlighter pack

In it: the answer as HTML, Markdown and Word (footnotes), the cited documents as PDFs with the words highlighted, W3C
annotations, a manifest of SHA-256, and the row of the audit. The same answer of the same documents gives the same bytes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ANSWER_ID")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="(default: answer-ANSWER_ID.zip)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    with connect_remote(services) as client:
        return _write_pack(services, client, options)


def _write_pack(services: Services, client: Client | None, options: argparse.Namespace) -> int:
    answer = (
        client.answer(options.id)
        if client
        else services.answer_records.load(options.id, get_visible_collections()).answer
    )
    out = options.out or Path(f"answer-{answer.id}.zip")
    # Written to a temporary file in the same folder, so that only a complete zip has the final name.
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            if client:
                client.pack(answer.id, file)
            else:
                services.evidence_packs.write(answer.id, get_visible_collections(), file)
        temporary.replace(out)
    except OSError as err:
        return print_usage_error(f"{out} cannot be written: {err.strerror}.")
    finally:
        temporary.unlink(missing_ok=True)
    size = out.stat().st_size
    print(
        json.dumps({"answer_id": options.id, "file": str(out), "size": size})
        if options.json
        else f"{out}  {size:,} bytes"
    )
    return 0
