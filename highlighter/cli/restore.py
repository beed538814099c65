"""python -m highlighter restore: creates the data folder from a backup, and verifies it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.cli import verify

if TYPE_CHECKING:
    from highlighter.services import Services

SUMMARY = "create the data folder from a backup, and verify it"
EXAMPLES = """examples:
  python -m highlighter restore /backups/monday
  DATA_DIR=/srv/restored python -m highlighter restore /backups/monday

DATA_DIR (and the database, with DATABASE_URL) must not hold a catalog yet. What was restored is then compared with the hashes
that the audit recorded, as "verify" does. The vector index is built at the next start; until then searches are slower.

exit status: 0 restored and as it was written, 1 not."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="the backup")
    parser.add_argument("--json", action="store_true", help="what was verified as one JSON object")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.store.backup import restore_backup

    restore_backup(options.folder, services.settings)
    options.head, options.against = False, None
    return verify.run(services, options)
