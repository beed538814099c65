"""Tests that run the README's Python in every way that people run it; the main module never runs twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from reportlab.pdfgen import canvas

from highlighter.models import READY
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database
from tests.browser.serving import ROOT
from tests.conftest import SAMPLES
from tests.docs.markdown import README, blocks
from tests.examples.conftest import key, remote_service  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow

DEPLOY = ROOT / "docs" / "how-to" / "deploy.md"
LIBRARY, CLIENT = [
    code
    for page in (README, DEPLOY)
    for language, code in blocks(page.read_text(encoding="utf-8"))
    if language == "python"
]
MAIN = 'print("The main module runs.")\n' + LIBRARY
# The part that starts child processes, which could run `__main__` again. The rest behaves the same everywhere.
INGESTING = re.match(r".*?h\.ingest\([^\n]*\n", MAIN, re.DOTALL)[0]
SECONDS = 300  # for a busy machine


@pytest.fixture
def folder(tmp_path):
    """A working directory with the samples, as in the README."""
    (tmp_path / "samples").symlink_to(SAMPLES)
    return tmp_path


@pytest.fixture
def small_folder(tmp_path):
    """A working directory in which the contract is one page: how the snippet runs does not depend on the document."""
    (tmp_path / "samples").mkdir()
    page = canvas.Canvas(str(tmp_path / "samples" / "Harbour Works Contract.pdf"), invariant=1)
    page.drawString(72, 720, "The Employer pays for each day from the Completion Date.")
    page.save()
    return tmp_path


@pytest.fixture
def python(tmp_path):
    """Return a function that runs Python in that folder, and returns what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*arguments: str, given: str = "") -> str:
        command = [sys.executable, *arguments]
        process = subprocess.run(
            command, input=given, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert (process.returncode, process.stderr) == (0, "")
        return process.stdout

    return run


def check(printed: str) -> None:
    """Check that each line of the snippet ran once, with a result."""
    assert printed.count("The main module runs.") == 1
    assert "'Harbour Works Contract.pdf', 2, '6.4 For each day from the Completion Date" in printed
    assert "\nHarbour Works Contract.pdf 0." in printed
    assert "\nTrue It leaves at seven.\n" in printed
    assert len(printed.splitlines()) >= 8


def check_ingested(folder: Path, printed: str) -> None:
    """Check that the main module ran once, and that its document is ready."""
    assert printed == "The main module runs.\n"
    catalog = Catalog(open_database(folder / "data" / "catalog.sqlite"))
    (document,) = catalog.documents()
    catalog.close()
    assert (document.name, document.state) == ("Harbour Works Contract.pdf", READY)


def test_the_snippet_ingests_as_a_script_without_a_guard(small_folder, python):
    (small_folder / "script.py").write_text(INGESTING, encoding="utf-8")
    check_ingested(small_folder, python("script.py"))


@pytest.mark.cluster
def test_the_snippet_ingests_from_standard_input(small_folder, python):
    check_ingested(small_folder, python("-", given=INGESTING))


@pytest.mark.cluster
def test_the_snippet_runs_as_an_argument_while_files_are_ingested_into_the_same_library(folder, python):
    command = [sys.executable, "-m", "ingest", "--quiet", str(SAMPLES / "Laboratory Safety Note.txt")]
    environment = {**os.environ, "DATA_DIR": str(folder / "data")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as other_process:
        check(python("-c", MAIN))
        assert "1 of 1 ready" in other_process.communicate(timeout=SECONDS)[0]


@pytest.mark.cluster
def test_the_snippet_ingests_in_a_notebook(small_folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(INGESTING)])
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(small_folder)}}).execute()
    printed = [output for output in notebook.cells[0].outputs if output.output_type == "stream"]
    check_ingested(small_folder, "".join(output.text for output in printed if output.name == "stdout"))


WSGI = """
import contextlib, io
SNIPPET = {code!r}

def app(environ, start_response):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(SNIPPET, {{}})
    start_response("200 OK", [("Content-Type", "text/plain; charset=utf-8")])
    return [printed.getvalue().encode()]
"""


@pytest.mark.cluster
def test_the_snippet_ingests_in_a_request_under_gunicorn(small_folder):
    (small_folder / "served.py").write_text(WSGI.format(code=INGESTING), encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", "--bind", "127.0.0.1:0", "--timeout", str(SECONDS), "served:app"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    log = small_folder / "gunicorn.log"
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=small_folder, env=environment, stderr=output)
    try:
        with urllib.request.urlopen(_address(server, log), timeout=SECONDS) as answer:
            check_ingested(small_folder, answer.read().decode())
    finally:
        server.terminate()
        server.wait(SECONDS)


def _address(server: subprocess.Popen, log: Path) -> str:
    while server.poll() is None:
        if found := re.search(r"Listening at: (\S+)", log.read_text()):
            return found[1]
    raise RuntimeError(log.read_text())


def test_the_client_snippet_asks_a_service(remote_service, key, folder, monkeypatch, capsys):  # noqa: F811
    monkeypatch.chdir(folder)
    (folder / "contract.txt").write_text(
        "The Client pays for delay. The notice period is three weeks.", encoding="utf-8"
    )
    code = CLIENT.replace('"https://papers.example", key="hk_..."', f'"{remote_service[0]}", key="{key}"')
    code = code.replace("contract.pdf", "contract.txt")
    assert code.count(remote_service[0]) == 1
    exec(code, {})
    printed = capsys.readouterr().out
    for step in ("sub_questions", "evidence", "token", "citation", "check", "done"):
        assert f"\n{step} " in f"\n{printed}"
    assert printed.splitlines()[-1] == "The notice period is three weeks."
