"""A PostgreSQL server for tests: made and started once for each process, with a fresh database for each test."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from sqlalchemy import URL

from highlighter.secret import Secret

NOT_INSTALLED = "PostgreSQL is not installed (apt-get install postgresql), so the catalog is only tested on SQLite"
START_SECONDS = 60
SETTINGS = ("listen_addresses=", "max_connections=200")
FAST_SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
)  # data of tests need not survive a crash
# Texts are ordered as in English unless a column says otherwise.
INITDB_OPTIONS = "-N -A trust -U highlighter -E UTF8 --no-locale --locale-provider=icu --icu-locale=en-US".split()


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None where it is not installed."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/"), reverse=True)), None)


class PostgresqlServer:
    """A running server, reached by a socket in its folder, which vanishes when the server is stopped."""

    def __init__(self, programs: Path, parent: Path | None, is_durable: bool = False):
        self.programs = programs
        self.settings = SETTINGS if is_durable else (*SETTINGS, *FAST_SETTINGS)
        self.folder = Path(tempfile.mkdtemp(prefix="highlighter-postgresql-", dir=parent))
        _give_to_server(self.folder)
        self._names = itertools.count()
        self.run_program("initdb", "-D", str(self.folder / "data"), *INITDB_OPTIONS)
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        options = [
            option
            for setting in (*self.settings, f"unix_socket_directories={self.folder}")
            for option in ("-c", setting)
        ]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*_build_prefix(), str(self.programs / "postgres"), "-D", str(self.folder / "data"), *options],
                stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder]).returncode:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server as a crash does, with all connections to it."""
        self._process.send_signal(subprocess.signal.SIGQUIT)
        self._process.wait(START_SECONDS)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def create_database(self, template: str = "template1") -> str:
        """Create a database like another, to which nothing is connected, and return its name."""
        name = f"test_{next(self._names)}"
        # The files are copied: to write the template's pages to the log, as is usual, takes half as long again.
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop_database(self, name: str) -> None:
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def address(self, database: str) -> Secret:
        """Return the address of a database as DATABASE_URL has it; the password is not asked for."""
        url = URL.create(
            "postgresql+psycopg", "highlighter", "geheim", None, None, database, {"host": str(self.folder)}
        )
        return Secret(url.render_as_string(hide_password=False))

    def execute(self, statement: str, database: str = "postgres") -> list[tuple]:
        """Execute a statement as the administrator, outside of the code that is tested."""
        import psycopg

        with psycopg.connect(host=str(self.folder), user="highlighter", dbname=database, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def make_folder(self, name: str) -> Path:
        """Make a folder beside the database, in which the server may write."""
        (folder := self.folder / name).mkdir()
        _give_to_server(folder)
        return folder

    def run_program(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs as the user whom the server belongs to."""
        command = [*_build_prefix(), str(self.programs / program), *arguments]
        process = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        if process.returncode:
            raise RuntimeError(process.stderr)


def _give_to_server(folder: Path) -> None:
    """Let the user whom the server runs as own a folder."""
    if os.geteuid() == 0:
        user = _find_user()
        os.chown(folder, user.pw_uid, user.pw_gid)


def _find_user() -> pwd.struct_passwd:
    return pwd.getpwnam("postgres" if _has_user("postgres") else "nobody")


def _has_user(name: str) -> bool:
    return any(user.pw_name == name for user in pwd.getpwall())


def _build_prefix() -> list[str]:
    """Return the command that runs a program as an ordinary user, and ends it when this process is killed."""
    prefix = ["setpriv", "--pdeathsig", "QUIT"]
    if os.geteuid() == 0:  # which PostgreSQL refuses
        user = _find_user()
        prefix += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return [*prefix, "--"]
