"""Tests that backups of earlier releases are restored: verified, asked, highlighted, and with links that still open."""

from __future__ import annotations

import json
import re
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from highlighter.__main__ import main
from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.backup import read_manifest
from highlighter.store.migration import CURRENT_REVISION

BACKUPS = Path(__file__).parent / "backups"


class RestoredLibrary:
    """A library restored by the command, what its release recorded of it, and a client with its key."""

    def __init__(self, folder: Path, services: Services):
        self.folder, self.services = folder, services
        self.record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
        self.documents, self.questions = self.record["documents"], self.record["questions"]
        self._client = create_app(services).test_client()

    def request(self, path: str, method: str = "GET", key: str | None = None, **options):
        """Return the response to a request with the recorded key, or another one; its body is read."""
        headers = {"Authorization": f"Bearer {key or self.record['key']}"}
        with self._client.open(path, method=method, headers=headers, **options) as response:
            response.get_data()
            return response

    def list_citations(self, name: str) -> list[dict]:
        return self.record["answers"][name]["citations"]


@pytest.fixture(scope="module", params=sorted(BACKUPS.glob("*.tar.xz")), ids=lambda path: path.name)
def backup_folder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(request.param) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def library(backup_folder, embedder, process_pool):
    """The library, restored once: the tests add to it, and change nothing of it."""
    settings = Settings(data_dir=backup_folder / "data", ocr=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATA_DIR", str(settings.data_dir))
        assert main(["restore", str(backup_folder / "backup")]) == 0
    with closing(Services(settings, embedder)) as services:
        yield RestoredLibrary(backup_folder, services)


def test_backup_is_of_an_earlier_release(library):
    """A backup with the tables of this release would prove nothing that test_backup.py does not."""
    from sqlalchemy import create_engine, text

    with create_engine(f"sqlite:///{library.folder / 'backup' / 'catalog.sqlite'}").connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) < CURRENT_REVISION
    assert {document.name for document in library.services.catalog.documents()} == {"ferry.txt", "rules.pdf"}


def test_restored_library_is_as_the_earlier_release_recorded_it(library, monkeypatch, capsys):
    head = library.folder / "head.json"
    head.write_text(json.dumps(library.record["head"]), encoding="utf-8")
    assert library.record["head"]["seq"] == read_manifest(library.folder / "backup")["head"]["seq"]
    monkeypatch.setenv("DATA_DIR", str(library.services.settings.data_dir))
    assert main(["verify", "--json", "--against", str(head)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["proven"], report["broken"]) == (True, [])
    assert (report["answers"], report["redacted"]) == (len(library.record["answers"]), 1)
    assert (report["coverage"]["documents"], report["coverage"]["originals"]) == (3, 3)


@pytest.mark.parametrize(
    ("name", "quote"), [("ferry", "The ferry leaves the island at eight"), ("fee", "forty pounds")]
)
def test_questions_are_answered_from_restored_documents(library, name, quote):
    answer = library.request("/api/v1/answers", "POST", json={"question": library.questions[name]}).json
    assert not answer["refused"]
    assert [quote in citation["quote"] for citation in answer["citations"]] == [True]
    assert answer["grounding_score"] == 1


@pytest.mark.parametrize("name", ["ferry", "fee"])
def test_citations_of_the_earlier_release_still_highlight_their_sentence(library, name):
    (citation,) = library.list_citations(name)
    passage = {name: citation[name] for name in ("document_id", "chunk_index")}
    answer = library.request("/api/v1/highlight", "POST", json={"question": library.questions[name], **passage}).json
    assert [one["text"] for one in answer["sentences"] if one["highlighted"]] == [citation["quote"]]
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", library.request(citation["links"]["view"]).text, re.DOTALL)
    assert citation["quote"] in "".join(marked)
    rectangles = library.request(
        f"/api/v1/documents/{citation['document_id']}/rectangles",
        query_string={"start": citation["quote_start"], "end": citation["quote_end"]},
    )
    assert rectangles.json["rectangles"]


def test_links_of_the_earlier_release_still_open(library):
    links = [
        link
        for name in ("ferry", "fee")
        for citation in library.list_citations(name)
        for link in [*citation["links"].values(), citation["chunk_file_path"]]
    ]
    links += [link for answer in library.record["answers"].values() for link in answer["links"].values()]
    links += [library.record["note"][field].removeprefix("http://localhost") for field in ("id", "view")]
    assert {link: library.request(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_note_of_the_earlier_release_is_on_its_words(library):
    (note,) = library.request(f"/api/v1/documents/{library.documents['rules']}/notes").json["items"]
    recorded = library.record["note"]
    assert (note["body"], note["target"], note["outcome"]) == (recorded["body"], recorded["target"], "same")


def test_earlier_version_of_a_document_is_still_there(library):
    versions = library.request(f"/api/v1/documents/{library.documents['later']}").json
    assert library.request(f"/documents/{library.documents['earlier']}/original").data.startswith(b"The ferry")
    assert versions["version"] == 2


def test_deleted_document_and_its_words_stay_deleted(library):
    (citation,) = library.list_citations("lamps")
    assert library.request(f"/api/v1/documents/{library.documents['lamps']}").status_code == 404
    assert library.request(citation["links"]["view"]).status_code == 404
    answer = library.request(library.record["answers"]["lamps"]["links"]["self"]).text
    assert "dusk" not in answer


def test_only_the_recorded_key_opens_the_restored_library(library):
    assert library.request("/api/v1/documents").status_code == 200
    assert library.request("/api/v1/documents", key=library.record["key"][:-1]).status_code == 401
