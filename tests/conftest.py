"""Fixtures with real components: SQLite, Chroma, the embedding model, PDFium and reportlab, in a separate folder for each test.

Tests use neither the network nor the home directory. Fixtures import what they create, so that test files which need none
of it are collected quickly.
"""

from __future__ import annotations

import fcntl
import gc
import hashlib
import json
import os
import shutil
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests import slow_tests

if TYPE_CHECKING:
    from highlighter.services import Services

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
CONTRACT = "Harbour Works Contract.pdf"

# Folders of tests are in memory if there is space, as SQLite waits for the disk at each commit.
MEMORY_FOLDER = Path("/dev/shm")
NEEDED_BYTES = 4 << 30


def pytest_configure() -> None:
    from highlighter.lean_imports import skip_unneeded_imports
    from highlighter.settings import Settings

    gc.disable()  # until all is imported and collected, of which little is ever garbage
    skip_unneeded_imports()  # as the processes of Highlighter do: a second of CPU time in each process of a run

    # Tests set what they need: a shell's own settings change nothing. The Makefile exports DATA_DIR.
    for setting in fields(Settings):
        os.environ.pop(setting.metadata["variable"], None)
    is_writable = MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK)
    if is_writable and shutil.disk_usage(MEMORY_FOLDER).free >= NEEDED_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_FOLDER))
    # A scan ends the same way on every machine; tests of recognition switch it on.
    os.environ["OCR"] = "0"


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the listed tests as slow, and run files with slow tests first, so that no long file is left to one process at
    the end. Tests of a file stay together and in order."""
    names = slow_tests.read_names()
    for item in items:
        if item.nodeid.split("[")[0] in names:
            item.add_marker("slow")
    slow = {item.path for item in items if "browser" in item.path.parts or item.get_closest_marker("slow")}
    count = Counter(item.path for item in items)
    position = {path: index for index, path in enumerate(count)}
    items.sort(key=lambda item: (item.path not in slow, -count[item.path], position[item.path]))


def pytest_collection_finish() -> None:
    """Leave what was imported out of garbage collection, and collect less often: a tenth of a run's time."""
    gc.freeze()  # with the little that is garbage: to find it takes half a second
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable():
    """Escape the lone surrogates of a report: a process of a parallel run could not send them, and its run would end."""
    return escape_surrogates((yield))


def escape_surrogates(value):
    """Return a value of nested lists and dictionaries with the lone surrogates of its strings escaped."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {escape_surrogates(key): escape_surrogates(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(escape_surrogates, value))
    return value


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Make every connection to another machine fail, with its address."""
    connect = socket.socket.connect

    def connect_locally(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"A test reached out to {address}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_locally)
        yield


@pytest.fixture(autouse=True, scope="session")
def compiled_templates():
    """Compile each template once, not once for each application that a test creates."""
    import flask
    from jinja2 import BytecodeCache

    class MemoryBytecodeCache(BytecodeCache):
        def __init__(self):
            self.compiled: dict[str, bytes] = {}

        def load_bytecode(self, bucket):
            if bucket.key in self.compiled:
                bucket.bytecode_from_string(self.compiled[bucket.key])

        def dump_bytecode(self, bucket):
            self.compiled[bucket.key] = bucket.bytecode_to_string()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flask.Flask, "jinja_options", {"bytecode_cache": MemoryBytecodeCache()})
        yield


@pytest.fixture(autouse=True, scope="session")
def compiled_routes():
    """Compile each route once, not once for each application that a test creates: it takes nine tenths of its time."""
    from werkzeug.routing import Rule

    compile_rule, compiled = Rule.compile, {}

    def compile_once(rule: Rule):
        key = (rule.rule, rule.host, rule.subdomain, rule.merge_slashes, rule.map.host_matching, repr(rule.defaults),
               *rule.map.converters.values())  # fmt: skip
        if key not in compiled:
            compile_rule(rule)
            builders = rule._build.__func__, rule._build_unknown.__func__
            compiled[key] = rule._parts, rule._trace, rule._converters, builders
        rule._parts, rule._trace, rule._converters, builders = compiled[key]
        rule._build, rule._build_unknown = (builder.__get__(rule) for builder in builders)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", compile_once)
        yield


class SharedStatements(dict):
    """The compiled statements of all databases of one kind, by their keys without the dialect, of which each has its own."""

    def get(self, key, default=None):
        return super().get(key[1:], default)

    def __setitem__(self, key, compiled):
        super().__setitem__(key[1:], compiled)


@pytest.fixture(autouse=True, scope="session")
def compiled_statements():
    """Compile each statement once for each kind of database, not once for each catalog that a test opens."""
    from sqlalchemy import create_engine

    from highlighter.store.dialects.postgresql import connections as of_postgresql
    from highlighter.store.dialects.sqlite import connections as of_sqlite

    with pytest.MonkeyPatch.context() as patch:
        for module in (of_sqlite, of_postgresql):

            def create(url, _statements=SharedStatements(), **options):
                engine = create_engine(url, **options)
                engine._compiled_cache = _statements
                return engine

            patch.setattr(module, "create_engine", create)
        yield


@pytest.fixture(autouse=True, scope="session")
def loaded_certificates():
    """Load the certificates of the system once, not once for each HTTP client that a test creates."""
    import httpcore2

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(autouse=True, scope="session")
def opened_models():
    """Open each carried model once, not once for each application that a test creates: it takes a tenth of a second."""
    from highlighter.embedding import engines

    open_session = engines.open_session
    open_once = reuse_carried(lambda path, threads=1: ReusedResults(open_session(path, threads)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "open_session", open_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def opened_tokenizers():
    """Open the tokenizer of the joint model once, and read the carried models once for their digests."""
    from highlighter.evidence import joint_model, scorer

    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((joint_model, "JointTokenizer"), (scorer, "hash_model")):
            patch.setattr(module, name, reuse_carried(getattr(module, name)))
        yield


def reuse_carried(create):
    """Return a function that creates what belongs to a file of the package once, and what belongs to others each time."""
    import highlighter

    package, created = Path(highlighter.__file__).parent, {}

    def get(path, *arguments, **options):
        if not path.is_relative_to(package):
            return create(path, *arguments, **options)
        if path not in created:
            created[path] = create(path, *arguments, **options)
        return created[path]

    return get


@pytest.fixture(autouse=True, scope="session")
def recorded_schemas():
    """Create the tables of each new catalog by the statements that Alembic executed for the first."""
    from highlighter.store import migration
    from tests.recorded_schemas import RecordedSchemas

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migration, "_run_revisions", RecordedSchemas(migration._run_revisions).create)
        yield


@pytest.fixture(autouse=True, scope="session")
def indexes_checked_in_process(tmp_path_factory):
    """Check copies of indexes in this process: a child process for each check takes two seconds of CPU time."""
    from highlighter.store import folder_index, index_health
    from highlighter.store.chroma import IndexGeneration

    copies = tmp_path_factory.mktemp("checked")

    def find_problem(generation, catalog, model):
        if generation.model != model:
            return index_health.find_index_problem(generation, catalog, model)
        copy = copies / uuid4().hex / generation.folder.name
        shutil.copytree(generation.folder, copy)
        try:
            index_health._check_generation(IndexGeneration(copy), catalog, model)
        except Exception as error:  # the child would end with it
            return str(error)
        finally:
            shutil.rmtree(copy.parent)
        return ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_index, "find_index_problem", find_problem)
        yield


@pytest.fixture
def index_checked_in_child(monkeypatch):
    """Check indexes in a child process, as services do."""
    from highlighter.store import index_health

    monkeypatch.setattr("highlighter.store.folder_index.find_index_problem", index_health.find_index_problem)


class ReusedResults:
    """A model that computes the result of each input once: two runs in three of the suite repeat an earlier one."""

    def __init__(self, model):
        self._model = model
        self._results: dict[tuple, list] = {}

    def run(self, names, inputs):
        inputs_by_name = sorted(inputs.items())
        key = (
            tuple(names or ()),
            *((name, array.shape, hashlib.sha256(array.tobytes()).digest()) for name, array in inputs_by_name),
        )
        if key not in self._results:
            self._results[key] = self._model.run(names, inputs)
        return [array.copy() for array in self._results[key]]


@pytest.fixture(scope="session")
def embedder():
    """The real model, loaded once."""
    from highlighter.embedding.embedder import Embedder

    model = Embedder()
    model.load()
    return model


# Milliseconds. The library's own five seconds are too few beside much other work.
EXPECTED_WITHIN = 30_000


@pytest.fixture(scope="session")
def driver():
    """Playwright, started once: its synchronous interface cannot be started twice in one process."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=EXPECTED_WITHIN)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver):
    """The browser that tests share: the headless shell where this machine has it."""
    from tests.browser.chromium import launch

    started = launch(driver)
    yield started
    started.close()


@pytest.fixture(scope="session")
def process_pool():
    """The child process of all tests, which is replaced seldom: the tests are a few thousand small tasks."""
    from highlighter.workers import process_pool

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_pool, "TASKS_BEFORE_RECYCLING", 500)
        pool = process_pool.ProcessPool(workers=1, seconds=60, memory_mb=1024)
        yield pool
        pool.close()


class BorrowedProcessPool:
    """A view of the shared process pool for one Services object, which can be closed without closing the pool.

    Starting a process for each Services object that reads a file would cost a second and a half of CPU time.
    """

    def __init__(self, process_pool):
        self._process_pool = process_pool
        self.closed = False

    def run(self, task, *arguments, seconds=None):
        from highlighter.workers.process_pool import ProcessPoolClosed

        if self.closed:
            raise ProcessPoolClosed
        return self._process_pool.run(task, *arguments, seconds=seconds)

    def close(self):
        self.closed = True


@pytest.fixture(autouse=True, scope="session")
def shared_child_process(process_pool):
    """Let all services of the tests read files and draw pages in one child process, unless they ask for `own_children`."""
    from highlighter import services
    from ingest import batch

    with pytest.MonkeyPatch.context() as patch:
        for module in (services, batch):
            patch.setattr(module, "ProcessPool", lambda *_: BorrowedProcessPool(process_pool))
        yield


@pytest.fixture
def own_children(monkeypatch):
    """Let services start child processes of their own, as they do."""
    from highlighter.workers.process_pool import ProcessPool

    for module in ("highlighter.services", "ingest.batch"):
        monkeypatch.setattr(f"{module}.ProcessPool", ProcessPool)


SQLITE, POSTGRESQL = "sqlite", "postgresql"


@pytest.fixture
def database_kind() -> str:
    """The database of the catalog; tests of the store run on each, and `TEST_DATABASE=postgresql` runs any on that."""
    return os.environ.get("TEST_DATABASE", SQLITE)


@pytest.fixture(scope="session")
def postgresql_server():
    from tests.postgresql import NOT_INSTALLED, PostgresqlServer, find_programs

    programs = find_programs()
    if programs is None:
        pytest.skip(NOT_INSTALLED)
    server = PostgresqlServer(programs, MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def postgresql_templates(postgresql_server, tmp_path_factory, embedder, process_pool):
    """A function that returns the data folder and the database with some documents, made at its first call."""
    made = {}

    def get(content: str, fill: Callable[[Services], object] | None = None) -> tuple[Path, str]:
        if (content, fill) not in made:
            folder, database = tmp_path_factory.mktemp(content), postgresql_server.create_database()
            files = {"note": [write_note(folder)], "contract": [SAMPLES / CONTRACT]}.get(content, [])
            address = postgresql_server.address(database)
            made[content, fill] = create_data_folder(folder, files, embedder, process_pool, address, fill), database
        return made[content, fill]

    return get


@pytest.fixture(scope="session")
def filled_folders(tmp_path_factory, embedder, process_pool):
    """A function that returns the data folder that a function of a test file filled, at its first call."""
    made = {}

    def get(fill: Callable[[Services], object]) -> Path:
        if fill not in made:
            made[fill] = create_data_folder(tmp_path_factory.mktemp("filled"), [], embedder, process_pool, fill=fill)
        return made[fill]

    return get


@pytest.fixture
def data_settings(request, tmp_path, database_kind):
    """The settings of a copy of the data with the document that the test asks for, if any: to ingest it takes longer.

    A test file may have a dictionary `FILLED_LIBRARIES` of functions that fill a library: tests that ask for a fixture of
    such a name get a copy of the data that its function wrote.
    """
    from highlighter.settings import Settings

    filled = getattr(request.module, "FILLED_LIBRARIES", {})
    content = next((name for name in (*filled, "note", "contract") if name in request.fixturenames), "empty")
    settings = Settings(data_dir=tmp_path / "data", ocr=False)  # the same on every machine
    if database_kind == SQLITE:
        if content in filled:
            folder = request.getfixturevalue("filled_folders")(filled[content])
        else:
            folder = request.getfixturevalue(f"{content}_folder")
        shutil.copytree(folder, settings.data_dir)
        yield settings
        return
    server = request.getfixturevalue("postgresql_server")
    folder, template = request.getfixturevalue("postgresql_templates")(content, filled.get(content))
    shutil.copytree(folder, settings.data_dir)
    database = server.create_database(template)
    yield replace(settings, database_url=server.address(database))
    server.drop_database(database)


@pytest.fixture
def catalog_address(tmp_path, request, database_kind):
    """The address of a database for a catalog, without any tables."""
    if database_kind == SQLITE:
        yield tmp_path / "catalog.sqlite"
        return
    server = request.getfixturevalue("postgresql_server")
    database = server.create_database()
    yield server.address(database)
    server.drop_database(database)


@pytest.fixture
def services(data_settings, embedder):
    """Services on a copy of the data with the document that the test asks for, if any."""
    from highlighter.services import Services

    services = Services(data_settings, embedder)
    yield services
    services.close()


@pytest.fixture(scope="session")
def empty_folder(tmp_path_factory, embedder, process_pool) -> Path:
    """A data folder with an empty catalog, which tests copy."""
    return create_data_folder(tmp_path_factory.mktemp("empty"), [], embedder, process_pool)


@pytest.fixture(scope="session")
def note_folder(tmp_path_factory, embedder, process_pool) -> Path:
    """A data folder with the note, which tests copy."""
    folder = tmp_path_factory.mktemp("note")
    return create_data_folder(folder, [write_note(folder)], embedder, process_pool)


@pytest.fixture(scope="session")
def contract_folder(tmp_path_factory, embedder, process_pool) -> Path:
    """A data folder with the contract of the samples, which tests copy."""
    return create_data_folder(tmp_path_factory.mktemp("contract"), [SAMPLES / CONTRACT], embedder, process_pool)


def create_data_folder(
    parent: Path,
    files: list[Path],
    embedder,
    process_pool,
    database_url=None,
    fill: Callable[[Services], object] | None = None,
) -> Path:
    """Create a data folder, ingest the files into it or fill it, and close it, so that it can be copied."""
    from highlighter.secret import Secret
    from highlighter.services import Services
    from highlighter.settings import Settings
    from ingest.pipeline import ingest_file

    settings = Settings(data_dir=parent / "data", ocr=False, database_url=database_url or Secret())
    services = Services(settings, embedder)
    assert not services.catalog.documents()  # creates the catalog
    for path in files:
        ingest_file(path, services, process_pool)
    if fill is not None:
        fill(services)
    services.close()
    return parent / "data"


@pytest.fixture(scope="session")
def s3_server():
    """A server that speaks S3, for all tests of a process."""
    from tests.s3_server import S3Server

    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def s3_switch(s3_server, monkeypatch):
    """A switch that stops and starts the S3 server; requests after its start are sent at once."""
    from highlighter.store import object_storage

    monkeypatch.setattr(object_storage, "PAUSE_SECONDS", 0.0)
    is_stopped = []

    class Switch:
        def stop(self):
            is_stopped.append(s3_server.stop())

        def start(self):
            if is_stopped:
                is_stopped.clear()
                s3_server.start()

    switch = Switch()
    yield switch
    switch.start()


@pytest.fixture
def remote_services(s3_server, tmp_path, embedder):
    """Services without documents whose files are on the S3 server."""
    from highlighter.services import Services
    from highlighter.settings import Settings

    services = Services(Settings(data_dir=tmp_path / "data", ocr=False, **s3_server.settings()), embedder)
    yield services
    services.close()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory):
    """A Chroma server, for all tests of a process: each catalog has collections of its own."""
    from tests.chroma_server import RunningChroma

    server = RunningChroma(tmp_path_factory.mktemp("chroma"))
    yield server
    server.stop()


@pytest.fixture
def app(services):
    from highlighter.app import create_app

    app = create_app(services)
    app.config["TESTING"] = True
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def note(services):
    """A small ingested text document."""
    return next(document for document in services.catalog.documents() if document.name == "note.txt")


@pytest.fixture
def contract(services, process_pool):
    """The contract of the samples, ingested."""
    from ingest.pipeline import ingest_file

    return ingest_file(
        SAMPLES / CONTRACT, services, process_pool
    ).document  # known, unless the test has the note as well


@pytest.fixture
def note_path(request, database_kind) -> Path:
    """The file of the note, which a test may overwrite: it is written for each."""
    if database_kind == SQLITE:
        return write_note(request.getfixturevalue("note_folder").parent)
    return write_note(request.getfixturevalue("postgresql_templates")("note")[0].parent)


def write_note(folder: Path) -> Path:
    path = folder / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


NOTE = """\
The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars.

Tickets cost four pounds and are sold on board. Children under five travel free of charge.

The captain may cancel a crossing when the wind is stronger than force eight. A cancelled ticket is refunded within \
three days.
"""


@pytest.fixture(scope="session")
def sample_questions() -> dict[str, list[dict[str, str]]]:
    listing = json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    return {entry["file"]: entry["questions"] for entry in listing}


@pytest.fixture(scope="session")
def samples_folder(request, tmp_path_factory) -> Path:
    """A data folder with the samples, created once for all processes of a run. Tests copy it, as two may not use it."""
    shared_folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared_folder = shared_folder.parent
    folder = shared_folder / "samples"
    with (shared_folder / "samples.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = shared_folder / "samples-unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            files = [path for path in sorted(SAMPLES.iterdir()) if path.suffix in (".pdf", ".docx", ".txt")]
            parts = request.getfixturevalue("embedder"), request.getfixturevalue("process_pool")
            create_data_folder(unfinished, files, *parts).rename(folder)
    return folder


@pytest.fixture(scope="session")
def sampled(tmp_path_factory, samples_folder, embedder):
    """Services with the samples. Tests that change data create their own."""
    from highlighter.services import Services
    from highlighter.settings import Settings

    folder = tmp_path_factory.mktemp("sampled") / "data"
    shutil.copytree(samples_folder, folder)
    services = Services(Settings(data_dir=folder, ocr=False), embedder)
    yield services
    services.close()


@pytest.fixture
def scripted(monkeypatch):
    """A scripted server that speaks the providers' wire formats, for one test; a busy model is soon tried again."""
    from highlighter.answering.llm import fallback
    from tests.scripted.server import ScriptedProvider

    monkeypatch.setattr(fallback, "RETRY_PAUSE_SECONDS", 0.001)
    server = ScriptedProvider()
    yield server
    server.close()


@pytest.fixture
def chain_of(scripted):
    """A function that creates a fallback chain of models at the scripted server."""
    from highlighter.answering.llm.fallback import ModelFallback
    from highlighter.settings import Settings

    def create(*models: str, **settings) -> ModelFallback:
        return ModelFallback.from_settings(Settings(**{**scripted.settings(*models), **settings}))

    return create
