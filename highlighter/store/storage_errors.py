"""Errors of the storage that are told apart from all others: a damaged or unreachable catalog, a full disk, unreachable files."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Self

from highlighter.errors import HighlighterError, Unavailable
from highlighter.locale import N_

PRIMARY_CODE_MASK = 0xFF  # of SQLite's extended result codes
DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# Classes and codes of PostgreSQL's SQLSTATE. Errors of a connection that was not made, or was lost, have none.
POSTGRESQL_DAMAGE_CODES = ("XX001", "XX002")
POSTGRESQL_FULL_CODE = "53100"
POSTGRESQL_BUSY_CODE = "55P03"
POSTGRESQL_UNREACHABLE_CODES = ("08", "28", "3D000", "53300", "57P01", "57P02", "57P03")
RETRY_SECONDS = 5


class CatalogDamaged(Unavailable):
    """SQLite cannot read the catalog's file any more; only a backup helps."""

    problem_type = "catalog-damaged"
    title = N_("The catalog is damaged")

    def __init__(self) -> None:
        super().__init__(
            "The catalog file is damaged or missing. Administrator: stop the service. If the data folder is there, run "
            '"python -m highlighter doctor" and restore a backup of it. Then start the service again.'
        )

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:  # a child process may send it to its parent
        return type(self), ()


def is_catalog_damage(err: BaseException) -> bool:
    if isinstance(err, CatalogDamaged):
        return True
    return any(
        getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK in DAMAGE_CODES
        or getattr(cause, "sqlstate", None) in POSTGRESQL_DAMAGE_CODES
        for cause in _walk_causes(err)
    )


class CatalogUnreachable(Unavailable):
    """The PostgreSQL server of the catalog does not answer, or lets nobody in; it is tried again at each request."""

    problem_type = "catalog-unreachable"
    title, retry_after = N_("The database cannot be reached"), RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__(
            "The database cannot be reached right now. Try again in a moment. Administrator: check that the PostgreSQL "
            "server of DATABASE_URL runs and accepts connections."
        )

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:  # a child process may send it to its parent
        return type(self), ()


class CatalogBusy(CatalogUnreachable):
    """The error for a write that waited too long for others."""

    title = N_("The database is busy")

    def __init__(self) -> None:
        Unavailable.__init__(self, N_("Other changes take long right now. Try again in a moment."))


class CatalogExists(HighlighterError):
    """The error for a backup that is to be restored where there is a catalog already."""

    title = N_("There is a catalog already")

    def __init__(self, place: str) -> None:
        super().__init__(
            N_("A backup is restored only where there is no catalog yet, and {place} is one.", place=place)
        )


def is_catalog_unreachable(err: BaseException) -> bool:
    """Return whether an error passes by itself: a connection to PostgreSQL was refused or lost, or a write waited too long."""
    from sqlalchemy.exc import OperationalError  # a child process, and --help, need none of SQLAlchemy

    if isinstance(err, CatalogUnreachable) or _is_catalog_busy(err):
        return True
    return any(isinstance(cause, OperationalError) and _is_connection_error(cause.orig) for cause in _walk_causes(err))


def convert_unreachable_error(err: BaseException) -> CatalogUnreachable:
    """Return an error of which `is_catalog_unreachable` is true as one of ours."""
    return CatalogBusy() if _is_catalog_busy(err) else CatalogUnreachable()


def _is_catalog_busy(err: BaseException) -> bool:
    return isinstance(err, CatalogBusy) or any(
        getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK == sqlite3.SQLITE_BUSY
        or getattr(cause, "sqlstate", None) == POSTGRESQL_BUSY_CODE
        for cause in _walk_causes(err)
    )


def _is_connection_error(driver_error: BaseException | None) -> bool:
    """Return whether an error of psycopg has the code of a lost or refused connection, or none; SQLite's have no such code."""
    sqlstate: str | None = getattr(driver_error, "sqlstate", "")
    return sqlstate is None or sqlstate.startswith(POSTGRESQL_UNREACHABLE_CODES)


def find_catalog_damage(path: Path, thorough: bool) -> str:
    """Return what is wrong with a catalog file, in words; empty when it is sound. A thorough check reads the whole file.

    Uses a new connection, as open ones answer from their cached pages.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=60)) as connection:
            connection.create_function("casefolded", 1, str.casefold, deterministic=True)
            if thorough:
                result = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
                return "" if result == "ok" else result
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            connection.execute("SELECT max(seq) FROM changes").fetchone()
            return ""
    except sqlite3.DatabaseError as err:
        if is_catalog_damage(err):
            return str(err)
        if not os.path.exists(path):
            return "it is not there"
        raise


def _walk_causes(err: BaseException | None) -> Iterator[BaseException]:
    while err is not None:
        yield err
        err = getattr(err, "orig", None) or err.__cause__


# A full disk is reported by itself, as the person who uploads a file can do something about it.

SQLITE_FULL_MESSAGE = "database or disk is full"
# SQLite has an error of its own only for a full disk; a quota, and a file system that has become read-only, end its writes like this.
UNWRITABLE_CODES = (
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_DELETE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
)
MOVED_FILE_CODE = sqlite3.SQLITE_READONLY_DBMOVED
SPACE_NEEDED_BYTES = 4 << 20  # less than any document needs with its pages and its transaction


class DiskFull(HighlighterError):
    """The disk or the quota is full, so nothing was stored."""

    problem_type = "disk-full"
    status, title = 507, N_("The disk is full")

    def __init__(self) -> None:
        super().__init__("The disk is full, so nothing was saved. Free some space, then upload the file again.")

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:  # a child process may send it to its parent
        return type(self), ()


class DiskUnwritable(DiskFull):
    """The data folder cannot be written at all: its file system is read-only, or its permissions are wrong."""

    problem_type = "disk-unwritable"
    status, title, retry_after = 503, N_("The data folder cannot be written"), RETRY_SECONDS

    def __init__(self) -> None:
        HighlighterError.__init__(
            self,
            N_(
                "The data folder cannot be written, so nothing was saved. Administrator: check that its file system is "
                "writable and that the service may write to it."
            ),
        )


def convert_disk_error(err: BaseException) -> DiskFull | None:
    """Return an error of a disk that takes nothing as one of ours; None for another error."""
    if isinstance(err, DiskFull):
        return err
    if is_disk_full(err) or (isinstance(err, OSError) and err.errno == errno.EFBIG):  # a limit of the system on files
        return DiskFull()
    return DiskUnwritable() if is_unwritable(err) else None


def is_unwritable(err: BaseException) -> bool:
    if isinstance(err, DiskUnwritable) or (isinstance(err, OSError) and err.errno == errno.EROFS):
        return True
    if isinstance(err, PermissionError):
        return err.filename is not None  # else it is of a connection
    codes = [getattr(cause, "sqlite_errorcode", 0) for cause in _walk_causes(err)]
    return any(
        code in UNWRITABLE_CODES or (code & PRIMARY_CODE_MASK == sqlite3.SQLITE_READONLY and code != MOVED_FILE_CODE)
        for code in codes
    )


def is_disk_full(err: BaseException) -> bool:
    if isinstance(err, OSError):
        return err.errno in (errno.ENOSPC, errno.EDQUOT)
    if any(getattr(cause, "sqlstate", None) == POSTGRESQL_FULL_CODE for cause in _walk_causes(err)):
        return True
    message = str(err)  # from the catalog's SQLite, from Chroma's, or from a child process that met a full disk
    return isinstance(err, DiskFull) or SQLITE_FULL_MESSAGE in message or message == DiskFull().detail


def has_space(folder: Path) -> bool:
    """Return whether a few megabytes can be written to a folder."""
    return find_disk_problem(folder) is None


def find_disk_problem(folder: Path) -> DiskFull | None:
    """Return why a few megabytes cannot be written to a folder; None when they can be.

    The bytes are reserved and released again, as `statvfs` does not know quotas.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, SPACE_NEEDED_BYTES)
            else:  # macOS
                file.write(bytes(SPACE_NEEDED_BYTES))
                file.flush()
    except OSError as err:
        if problem := convert_disk_error(err):
            return problem
        raise
    return None


# Files elsewhere may be out of reach for a while. Nothing is wrong with the documents then, so all that needs them waits.


class FilesUnavailable(Unavailable):
    """The remote file storage does not answer, or refuses access."""

    problem_type = "files-unavailable"
    title = N_("The file storage is not available")
    retry_after = 10

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or N_("The file storage does not answer. Nothing is lost; try again in a moment."))

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:  # a child process may send it to its parent
        return type(self), (self.detail,)


class IndexUnavailable(Unavailable):
    """The Chroma server does not answer, or refuses access. Searches go on without it."""

    title = N_("The vector index is not available")
