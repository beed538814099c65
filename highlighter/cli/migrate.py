"""python -m highlighter migrate: copies the library to another database and file storage, and verifies the copy."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.cli import verify
from highlighter.cli.common import print_usage_error
from highlighter.locale import N_
from highlighter.settings import Settings, SettingsError

if TYPE_CHECKING:
    from highlighter.services import Services
    from highlighter.store.library_copy import CopyReport

SUMMARY = "copy the library to PostgreSQL and a file storage, or back, and verify the copy"
EXAMPLES = """examples:
  python -m highlighter migrate --to postgresql+psycopg://highlighter@db/highlighter --files s3://highlighter/files
  python -m highlighter migrate --to postgresql+psycopg://highlighter@db/highlighter --folder /srv/data
  DATABASE_URL=postgresql+psycopg://highlighter@db/highlighter FILES_URL=s3://highlighter/files python -m highlighter migrate --to /srv/back

The source is the library of the settings (DATA_DIR, DATABASE_URL, FILES_URL); nothing of it is changed. Stop its servers first.
The target must be empty. Killed at any moment and started again, the command goes on: files that are there are not copied
again, and the catalog appears as a whole. Every row and the hash of every file is compared, then the copy is verified as
"verify" does. The vector index is built at the first start of a server there; until then searches are slower.
Others on this machine can read a password in a command line: leave it out and set PGPASSWORD.

exit status: 0 copied and as it was written, 1 not, 2 wrong usage."""

SQLITE_SCHEME = "sqlite:///"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        required=True,
        metavar="ADDRESS",
        help="postgresql+psycopg://..., sqlite:///FOLDER, or a folder: the new DATA_DIR",
    )
    parser.add_argument(
        "--files",
        metavar="FILES_URL",
        help="s3://BUCKET/PREFIX for the files (default: the folder; access by the AWS_ settings)",
    )
    parser.add_argument(
        "--folder", type=Path, help="the DATA_DIR of a copy in PostgreSQL: its link key, and files without --files"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.services import Services
    from highlighter.store.library_copy import Library, copy_library

    is_postgresql = options.to.startswith("postgres")
    try:
        addresses = Settings.from_environment(
            {"DATABASE_URL": options.to if is_postgresql else "", "FILES_URL": options.files or ""}
        )
    except SettingsError as err:
        return print_usage_error(err.detail)
    if "://" in options.to and not is_postgresql and not options.to.startswith(SQLITE_SCHEME):
        return print_usage_error("--to must be postgresql+psycopg://..., sqlite:///FOLDER, or a folder.")
    if options.folder and not is_postgresql:
        return print_usage_error("--folder is for a copy in PostgreSQL: name the folder by --to alone.")
    folder = options.folder if is_postgresql else _parse_folder(options.to)
    if not (folder or addresses.files_url):
        return print_usage_error("Say where the files go: --files s3://BUCKET/PREFIX, or --folder FOLDER.")
    _require_catalog(services.settings)
    with _provide_folder(folder) as data_dir:
        target = replace(
            services.settings,
            data_dir=data_dir,
            database_url=addresses.database_url,
            files_url=addresses.files_url,
        )
        source = Library(services.settings, services.catalog, services.files)
        with _ProgressBar() as bar:
            report = copy_library(source, target, bar.show)
        copy = Services(target)
        try:
            return _verify(copy, report, options, _list_settings(target, options.to, folder))
        finally:
            copy.close()


def _parse_folder(address: str) -> Path:
    """Return the folder of an address, which may also name the SQLite file in it."""
    from highlighter.store.database import CATALOG_FILE_NAME

    path = Path(address.removeprefix(SQLITE_SCHEME))
    return path.parent if path.name == CATALOG_FILE_NAME else path


def _require_catalog(settings: Settings) -> None:
    from highlighter.store.database import CATALOG_FILE_NAME
    from highlighter.store.library_copy import CopyFailed

    if not settings.database_url and not (settings.data_dir / CATALOG_FILE_NAME).exists():
        raise CopyFailed(N_("There is no catalog in {folder}: set DATA_DIR.", folder=settings.data_dir))


@contextmanager
def _provide_folder(folder: Path | None) -> Iterator[Path]:
    """Yield the data folder of the copy; without one, a temporary folder for the files on their way to the storage."""
    if folder:
        yield folder.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="highlighter-") as temporary:
        yield Path(temporary)


class _ProgressBar:
    """A bar on standard error for the documents, and then one for the rows."""

    def __init__(self) -> None:
        self._unit = ""

    def __enter__(self) -> _ProgressBar:
        from tqdm import tqdm

        self._create_bar = tqdm
        self._bar = None
        return self

    def show(self, unit: str, done: int, total: int) -> None:
        if unit != self._unit:
            self.__exit__()
            self._unit = unit
            self._bar = self._create_bar(total=total, unit=f" {unit}", file=sys.stderr, disable=None)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _verify(copy: Services, report: CopyReport, options: argparse.Namespace, settings: list[str]) -> int:
    """Verify the copy, print what was copied, and return the exit status."""
    from highlighter.store.audit_verification import verify_audit

    with copy.catalog.engine.connect() as connection:
        verified = verify_audit(connection, files=copy.files)
    is_whole = not report.missing and not verified.discrepancies
    if options.json:
        print(json.dumps({**asdict(report), "proven": is_whole, "settings": settings}, ensure_ascii=False))
        return 0 if is_whole else 1
    print(
        f"{report.documents:,} documents, {report.files:,} files ({report.copied_files:,} copied by this run) and "
        f"{sum(report.rows.values()):,} rows are in the copy, and equal."
    )
    print(verify.format_report(verified))
    for name in report.missing:
        print(f"!! The original of {name} is missing or was altered: restore it from a backup.")
    print("To use the copy, set:\n" + "\n".join(f"  {setting}" for setting in settings))
    return 0 if is_whole else 1


def _list_settings(target: Settings, address: str, folder: Path | None) -> list[str]:
    """Return the settings of a service that uses the copy; a password is left out."""
    from sqlalchemy import make_url

    lines = []
    if folder:
        lines.append(f"DATA_DIR={target.data_dir}")
    if target.database_url:
        lines.append(f"DATABASE_URL={make_url(target.database_url.reveal()).render_as_string(hide_password=True)}")
    if target.files_url:
        lines.append(f"FILES_URL={target.files_url}")
    if not folder and (target.data_dir / "link.key").exists():
        lines.append("LINK_KEYS=what the file link.key in the old DATA_DIR holds, so that old links stay valid")
    return lines
