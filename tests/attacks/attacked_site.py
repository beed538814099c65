"""A running service that holds hostile documents, names, metadata, notes and answers, and the addresses where they are shown.

A sink is a place of the service into which somebody can put a text that a browser reads.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

from tests.attacks.hostile_files import MAKERS, make_text
from tests.attacks.vectors import VECTORS, WRITTEN, group_vectors
from tests.browser.serving import serving
from tests.scripted.fake_replies import Says
from tests.scripted.server import ScriptedProvider
from tests.waiting import wait_until

MAX_VALUE_CHARACTERS = 1_900  # of a question and of a note
MAX_NAME_CHARACTERS = 180
FEW = WRITTEN[::8]  # for the fields of a file: one of each kind
QUESTION = "What does vector 7 say?"


@dataclass
class AttackedSite:
    """The service, a client of its API, and its documents."""

    address: str
    http: httpx2.Client
    provider: ScriptedProvider
    documents: dict[str, str]  # ids by the kind of the file; "all" has every vector in its text

    def upload(self, name: str, content: bytes, metadata: dict[str, Any] | None = None) -> str:
        """Upload a file, wait until it is read, and return the id of its document."""
        fields = {"metadata": json.dumps(metadata)} if metadata else {}
        answer = self.http.post("/api/v1/documents", files={"file": (name, content)}, data=fields)
        id = answer.raise_for_status().json()["document_id"]
        wait_until(lambda: self.http.get(f"/api/v1/documents/{id}").json()["state"] in ("ready", "partial"))
        return id

    def count_chunks(self, id: str) -> int:
        return len(self.http.get(f"/api/v1/documents/{id}/chunks").json()["chunks"])

    def ask(self, words: str, question: str = QUESTION) -> str:
        """Have the model say these words, and return the id of the stored answer."""
        self.play_answer(words, question)
        body = {"question": question, "sources": [{"document_id": self.documents["all"]}], "format": "markdown"}
        return self.http.post("/api/v1/answers", json=body).raise_for_status().json()["id"]

    def play_answer(self, words: str, question: str = QUESTION) -> None:
        """Have the model say these words at the next question."""
        self.provider.play("m", Says(json.dumps({"questions": [question]})), Says(words))

    def unpack_answer(self, id: str, folder: Path) -> Path:
        """Unpack the evidence pack of an answer and return its page."""
        content = self.http.get(f"/api/v1/answers/{id}/pack?notes=1").raise_for_status().content
        with zipfile.ZipFile(io.BytesIO(content)) as pack:
            pack.extractall(folder / id)
        return folder / id / "answer.html"

    def list_stored_sinks(self) -> Iterator[str]:
        """Yield the addresses of the pages that show what is stored."""
        yield from ("/documents", "/notes", "/answers", "/", "/search?q=vector", "/documents?name=vector")
        for kind, id in self.documents.items():
            yield f"/documents/{id}"
            if kind != "all":
                yield f"/documents/{id}/chunks/0?view=text&{urlencode({'q': QUESTION})}"
        id = self.documents["all"]
        yield from (f"/documents/{id}?view=page", f"/documents/{id}/notes", f"/documents/{id}/delete")
        yield from (f"/documents/{self.documents[kind]}/outline" for kind in ("pdf", "docx", "epub"))
        yield f"/api/v1/chunks/highlight?document_id={id}&chunk_index=0&{urlencode({'sub_question': QUESTION})}"

    def list_reflected_sinks(self, text: str) -> Iterator[str]:
        """Yield addresses that hand a text to the service, whose page may show it."""
        page, id = f"/documents/{self.documents['txt']}", self.documents["txt"]
        for path, fields in (
            ("/search", {"q": text}),
            ("/search", {"q": "vector", "collection": text}),
            ("/open", {"quote": text}),
            ("/documents", {"name": text, "tag": text, "where": f"x={text}", "collection": text, "state": text}),
            (page, {"q": text, "view": "text"}),
            (f"{page}/chunks/0", {"find": text, "cited": text, "view": text, "page": text, "hit": text}),
            ("/answers", {"q": text}),
            ("/notes", {"q": text}),
            ("/", {"doc": text, "tag": text, "collection": text, "lang": text}),
            ("/api/v1/chunks/highlight", {"document_id": id, "chunk_index": "0", "sub_question": text, "method": text}),
        ):
            yield f"{path}?{urlencode(fields)}"
        yield f"/{quote(text[:900], safe='')}"
        yield f"/documents/{quote(text[:900], safe='')}"
        yield f"/embed/{quote(text[:900], safe='')}"


@contextmanager
def attacked_site(folder: Path, **environment: str) -> Iterator[AttackedSite]:
    """Yield a running service with hostile content in every sink that stores."""
    provider = ScriptedProvider()
    models = {"LLM_MODELS": "openai/m", "OPENAI_BASE_URL": f"{provider.url}/v1", "OPENAI_API_KEY": provider.key}
    try:
        with (
            serving(folder, **models, OCR="0", **environment) as address,
            httpx2.Client(base_url=address, timeout=120) as http,
        ):
            site = AttackedSite(address, http, provider, {})
            _store_documents(site)
            _store_notes(site)
            yield site
    finally:
        provider.close()


def _store_documents(site: AttackedSite) -> None:
    names = group_vectors(MAX_NAME_CHARACTERS, FEW)
    metadata = {key[:50]: value for key, value in zip(FEW, group_vectors(MAX_VALUE_CHARACTERS), strict=False)}
    tags = [vector for vector in WRITTEN if len(vector) <= 60 and "," not in vector][::10]
    site.documents["all"] = site.upload(f"{names[0]}.txt", make_text(VECTORS), {**metadata, "tags": tags[:30]})
    for (kind, make), name in zip(MAKERS.items(), names, strict=False):
        site.documents[kind] = site.upload(f"{name}.{kind}", make(FEW))


def _store_notes(site: AttackedSite) -> None:
    for number, text in enumerate(group_vectors(MAX_VALUE_CHARACTERS)):
        selector = {"type": "TextPositionSelector", "start": 20 * number, "end": 20 * number + 9}
        body = {"target": {"selector": selector}, "body": text, "shared": True}
        site.http.post(f"/api/v1/documents/{site.documents['all']}/notes", json=body).raise_for_status()


def join_as_answer(vectors: Sequence[str]) -> str:
    """Return an answer in Markdown that holds the vectors in paragraphs, a list, a table and a heading, with citations."""
    lines = [f"Vector says {vector} [1]." for vector in vectors]
    listed = "\n".join(f"- {vector} [1]" for vector in vectors)
    rows = "\n".join(f"| {vector} | [1] |" for vector in vectors)
    return "\n\n".join([*lines, listed, f"| a | b |\n|---|---|\n{rows}", *(f"### {vector}" for vector in vectors)])
