"""The wheel: what is in it, and the installed commands, called from a folder outside the repository."""

from __future__ import annotations

import json
import re
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from highlighter import __version__
from tests.browser.serving import ROOT, free_port, running
from tests.conftest import NOTE
from tests.packaging.installation import HEAVY_PACKAGES, Environment, build_wheel, install_with_dependencies

pytestmark = pytest.mark.integrations

SAMPLE_FILES = [path for path in (ROOT / "samples").iterdir() if path.is_file()]
SAMPLE_QUESTIONS = json.loads((ROOT / "samples" / "making" / "questions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


# Not in pytest's own folder, which may be in memory: an environment is large, and its programs must be allowed to run.
@pytest.fixture(scope="module")
def installed(wheel) -> Iterator[Environment]:
    with TemporaryDirectory() as folder:
        yield install_with_dependencies(wheel, Path(folder))


def test_wheel_holds_two_packages_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "highlighter",
        "ingest",
        f"highlighter-{__version__}.dist-info",
    }
    assert not [name for name in names if "/tests/" in name or name.startswith("highlighter/samples/making/contract")]


def test_wheel_holds_every_file_of_the_working_tree(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {"highlighter/samples/making/questions.json"}
    for folder in ("highlighter", "ingest"):
        expected |= {f"{folder}/{path.relative_to(ROOT / folder)}" for path in _list_files(ROOT / folder)}
    for folder in ("templates", "static"):
        expected |= {f"highlighter/{folder}/{path.relative_to(ROOT / folder)}" for path in _list_files(ROOT / folder)}
    expected |= {f"highlighter/samples/{path.name}" for path in (ROOT / "samples").iterdir() if path.is_file()}
    assert packed == expected


def _list_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def test_installed_package_is_the_wheel_and_carries_its_version(installed):
    run = installed.run("python", "-c", "import highlighter; print(highlighter.__file__, highlighter.__version__)")
    path, version = run.stdout.split()
    assert Path(path).is_relative_to(installed.prefix)
    assert version == __version__
    assert installed.run("highlighter", "--version").stdout == f"Highlighter {__version__}\n"


def test_command_and_modules_answer_with_help(installed):
    helped = installed.run("highlighter", "--help")
    assert helped.returncode == 0, helped.stderr
    assert helped.stdout.startswith("usage: highlighter ")
    assert "highlighter ingest" in helped.stdout
    assert "python -m" not in helped.stdout
    assert installed.run("highlighter", "ingest", "--help").stdout.startswith("usage: highlighter ingest ")
    assert installed.run("python", "-m", "highlighter", "--help").stdout.startswith("usage: python -m highlighter ")
    assert installed.run("python", "-m", "ingest", "--help").stdout.startswith("usage: python -m ingest ")


@pytest.mark.parametrize("package", HEAVY_PACKAGES)
def test_core_works_without_pytorch(installed, package):
    run = installed.run("python", "-c", f"import {package}")
    assert run.returncode == 1
    assert "ModuleNotFoundError" in run.stderr


def test_documents_are_ingested_asked_and_served(installed):
    (installed.folder / "note.txt").write_text(NOTE, encoding="utf-8")
    ingested = installed.run("highlighter", "ingest", "note.txt")
    assert ingested.returncode == 0, ingested.stderr
    assert "1 of 1 ready" in ingested.stdout
    answered = installed.run("highlighter", "ask", "--json", "How much is a ticket?")
    assert answered.returncode == 0, answered.stderr
    assert "Tickets cost four pounds" in json.dumps(json.loads(answered.stdout))
    with _serving(installed) as site:
        page = _read(f"{site}/")
        style = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert style is not None
        assert "{" in _read(site + style[1])
        assert "note.txt" in _read(f"{site}/documents")
        assert "文件" in _read(f"{site}/zh-Hant/")  # of a message catalogue


def test_samples_are_installed_with_their_questions(installed):
    program = (
        "from hashlib import sha256\n"
        "from highlighter.web.pages.sample_questions import list_sample_files, list_sample_questions\n"
        "hashes = [sha256(path.read_bytes()).hexdigest() for path in list_sample_files()]\n"
        "print(len(hashes), sum(bool(list_sample_questions(one)) for one in hashes))"
    )
    run = installed.run("python", "-c", program)
    assert run.stdout.split() == [str(len(SAMPLE_FILES)), str(len(SAMPLE_QUESTIONS))]


def test_model_of_the_extra_says_what_to_install(installed):
    program = "from highlighter.embedding.embedder import Embedder; Embedder('some-model').load()"
    run = installed.run("python", "-c", program)
    assert "pip install '.[sentence-transformers]'" in run.stderr


@contextmanager
def _serving(installed: Environment) -> Iterator[str]:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    variables = {**installed.variables, "HOST": "127.0.0.1", "PORT": str(port)}
    log = installed.folder / "server.log"
    with running([installed.executable("highlighter"), "serve"], variables, address, log, installed.folder):
        yield address


def _read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as response:
        return response.read().decode()
