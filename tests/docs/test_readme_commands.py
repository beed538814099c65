"""Tests that run the commands of the README and the documentation, on a library with the samples."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from docx import Document as Word

from highlighter import __main__ as front
from highlighter.answering.request import QuestionRequest
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.__main__ import main as ingest
from tests.browser.serving import ROOT
from tests.conftest import SAMPLES
from tests.docs.markdown import PAGES, blocks, commands

LINES = [
    command
    for page in PAGES
    if page.name != "embed.md"  # its curl is sent by tests/browser/test_embed_docs.py
    for language, code in blocks(page.read_text(encoding="utf-8"))
    if not language and re.match(r"\s*(python3?|curl|make) ", code)
    for command in commands(code)
]
WARNING = "The Contractor gives an early warning of each matter that could raise the price."
DELAY = "For each day of delay the Contractor pays £4,200."
OPEN_ENDED = ("serve", "mcp", "calibrate", "delete", "doctor")  # they run until stopped, or need input

OTHER_MACHINES = ("s3://", "postgresql", "tcp://")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with the files that the commands name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(SAMPLES)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "delay.md").write_text(DELAY, encoding="utf-8")
    (tmp_path / "contract.txt").write_text(f"{WARNING} {DELAY}", encoding="utf-8")
    (tmp_path / "answer.txt").write_text(DELAY, encoding="utf-8")
    (tmp_path / "response.json").write_text(json.dumps([{"page_content": DELAY}]), encoding="utf-8")
    passage = {"id": "1", "question": "Who pays for delay?", "context": DELAY}
    (tmp_path / "passages.jsonl").write_text(json.dumps(passage), encoding="utf-8")
    checked = {"id": "1", "answer": DELAY, "sources": [{"text": DELAY}]}
    (tmp_path / "answers.jsonl").write_text(json.dumps(checked), encoding="utf-8")
    shutil.copy(SAMPLES / "Tide Tables and Diving Windows.pdf", tmp_path / "contract.pdf")
    for name in ("policy.docx", "tender.docx"):
        document = Word()
        document.add_paragraph(WARNING)
        document.save(tmp_path / name)
    return tmp_path


@pytest.fixture
def library(folder, sampled, embedder, monkeypatch):
    """A library with the samples, which all commands use."""
    shutil.copytree(sampled.settings.data_dir, folder / "data")
    services = Services(Settings(data_dir=folder / "data", ocr=False), embedder)
    monkeypatch.setattr("highlighter.services.Services", lambda settings: services)
    close = services.close
    monkeypatch.setattr(services, "close", lambda: None)
    yield services
    close()


def test_every_documented_command_runs(library, folder, capsys):
    ran = 0
    for words in LINES:
        if words[1] != "-m" or words[2] not in ("ingest", "highlighter"):
            continue
        for arguments in _variants(words[3:]):
            arguments = _with_values(arguments, library, folder)
            status = _run(words[2], arguments)
            printed = capsys.readouterr()
            # One of the samples is a scan without text, as the tutorial says.
            assert status == (1 if arguments[-1:] == ["samples/"] else 0), (words, printed)
            if words[2:4] == ["highlighter", "verify"] and "--head" in arguments:
                (folder / "head.json").write_text(printed.out, encoding="utf-8")
            ran += 1
    assert ran >= 20
    assert (folder / "delay.zip").is_file()


def _variants(words: list[str]) -> list[list[str]]:
    """Return the commands that a line stands for: `a | b` for several, `[--x | --y]` for options of one."""
    if "[--head" in words:
        return [words[:1], [*words[:1], "--head"], [*words[:1], "--against", "head.json"]]
    if "|" in words:
        return [[word, "--help"] for word in words if word != "|"]
    words = words[: words.index(">")] if ">" in words else words
    if any(word.startswith(OTHER_MACHINES) for word in words):
        return [[word for word in words[:1] if not word.startswith("-")] + ["--help"]]
    return [[words[0], "--help"]] if words[0] in OPEN_ENDED else [words]


def _with_values(words: list[str], library: Services, folder) -> list[str]:
    """Replace the placeholders of the documentation by values that exist."""
    if "ANSWER_ID" in words:
        words[words.index("ANSWER_ID")] = library.answer_pipeline.answer(QuestionRequest("Who pays for delay?")).id
    if "revoke" in words:
        words[-1] = library.api_keys.list_keys()[0].id
    return [word.replace("/srv/papers", str(folder / "papers")).replace("/backups", str(folder)) for word in words]


def _run(module: str, arguments: list[str]) -> int:
    try:
        return {"ingest": ingest, "highlighter": front.main}[module](arguments)
    except SystemExit as ended:  # after --help
        return ended.code


def test_install_commands_name_the_pinned_torch_and_existing_targets():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in LINES:
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", makefile, re.M)
    pinned = re.search(r"^torch==\S+", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)[0]
    assert set(re.findall(r"torch==[\d.]+", text)) == {pinned}


def test_curl_of_the_readme_is_answered(app):
    curl_commands = [words for words in LINES if words[0] == "curl"]
    assert len(curl_commands) == 1
    for words in curl_commands:
        path = next(word for word in words if "localhost:8000" in word).split("8000")[1]
        answer = app.test_client().post(path, json=json.loads(words[words.index("-d") + 1]))
        assert answer.status_code == 200
        assert [sentence["highlighted"] for sentence in answer.get_json()["sentences"]] == [False, True]


def test_every_python_block_is_run_by_some_test():
    """Python blocks in docs/ are run by tests/browser/test_embed_docs.py, tests/examples/test_adapters_page.py and test_integrations.py."""
    kinds = {
        page.relative_to(ROOT).as_posix(): [language for language, _ in blocks(page.read_text(encoding="utf-8"))]
        for page in PAGES
    }
    assert [kinds[name].count("python") for name in ("README.md", "docs/how-to/deploy.md")] == [1, 1]
    assert {name for name, languages in kinds.items() if "python" in languages} == {
        "README.md", "docs/how-to/deploy.md", "docs/how-to/embed.md", "docs/how-to/integrate.md", "docs/integrations.md"
    }  # fmt: skip
