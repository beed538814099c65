"""python -m highlighter backup: writes a complete backup to a folder, while the service works."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.locale import N_

if TYPE_CHECKING:
    from highlighter.services import Services

SUMMARY = "back up documents, answers, notes and keys to a folder, while the service works"
EXAMPLES = """examples:
  python -m highlighter backup /backups/monday
  python -m highlighter backup /backups/tuesday --previous /backups/monday    # files that are the same are linked, not copied
  0 3 * * * DATA_DIR=/srv/highlighter highlighter backup "/backups/$(date +\\%F)"    # a line of crontab: every night at three

The backup holds one state of the catalog and the files of its documents. It appears under its name when it is complete.
The vector index is left out: it is built again. Whoever can read a backup can read every document: guard it.

exit status: 0 complete, 1 not made, or an original was missing or altered."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="where to write it; it must not exist")
    parser.add_argument(
        "--previous", type=Path, metavar="FOLDER", help="an earlier backup on the same disk to share files with"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from highlighter.store.backup import BackupFailed, create_backup
    from highlighter.store.database import CATALOG_FILE_NAME

    settings = services.settings
    if not settings.database_url and not (settings.data_dir / CATALOG_FILE_NAME).exists():
        raise BackupFailed(N_("There is no catalog in {folder}: set DATA_DIR.", folder=settings.data_dir))

    with tqdm(unit=" documents", file=sys.stderr, disable=None) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        report = create_backup(
            services.catalog, services.files, settings.data_dir, options.folder, options.previous, show
        )
    if options.json:
        print(json.dumps(asdict(report), ensure_ascii=False))
    else:
        shared = f", {report.linked:,} of them shared with the previous one" if report.linked else ""
        place = f"; the files stay in {report.storage}" if report.storage else ""
        print(
            f"{report.path} holds {report.documents:,} documents, {report.files:,} files{shared}, "
            f"{report.bytes / 2**20:,.1f} MB of files{place}."
        )
        for name in report.missing:
            print(f"!! The original of {name} is missing or was altered: restore it from an earlier backup.")
    return 1 if report.missing else 0
