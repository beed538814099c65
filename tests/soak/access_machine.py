"""Keys and signed links that Hypothesis makes, uses, alters and ends in any order: nobody gets in who may not."""

from __future__ import annotations

import shutil
import string
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule

from highlighter import signed_links
from highlighter.embedding.embedder import Embedder
from highlighter.models import Document
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.signed_links import CHUNK_SCOPE, COLLECTION_SCOPE, DOWNLOAD_PERMISSION, LINK_SCOPES
from highlighter.web import signed_link_issuer
from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import running_app
from tests.properties import st

SCOPES = ("read", "ingest", "answer", "admin")
LETTERS = string.ascii_letters + string.digits + "-_"
PUBLIC, OTHER = "default", "other"
PERMISSIONS = (("view",), ("view", "download"), ("view", "page", "download"))
UNLIMITED = "1000000/second"
BOOK, NOTE, FOREIGN = "book.txt", "note.txt", "foreign.txt"


def make_access_template(folder: Path, embedder: Embedder, process_pool: Any) -> Path:
    """Make a data folder with a book of several sections, a note beside it, and a note in another collection."""
    services = Services(Settings(data_dir=folder / "data", ocr=False), embedder)
    section = "\n\n".join(f"{number}. Clause {number} says that {number * 7} tons are moved." for number in range(100))
    texts = {BOOK: section, NOTE: "The ferry leaves at seven.", FOREIGN: "The pilot boat leaves at noon."}
    for name, text in texts.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        ingest_file(path, services, process_pool, collection=OTHER if name == FOREIGN else PUBLIC)
    services.close()
    return folder / "data"


@dataclass(frozen=True, slots=True)
class Link:
    """A signed link: the key that requested it, the key that signed it, and what it grants."""

    key: tuple
    signing_key: str
    token: str
    path: str
    scope: str
    permissions: tuple[str, ...]
    expires: int


class LinkClock:
    """The time for those who sign and check links, which can be put forward."""

    def __init__(self) -> None:
        self.ahead_seconds = 0

    def time(self) -> float:
        return time.time() + self.ahead_seconds


class AccessMachine(RuleBasedStateMachine):
    """A service with three documents, its keys with their texts, and the links that keys made."""

    template: Path  # see `make_access_template`
    embedder: Embedder
    keys, links = Bundle("keys"), Bundle("links")

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.stack, self.patches = Path(tempfile.mkdtemp(prefix="machine-")), ExitStack(), ExitStack()
        self.clock = LinkClock()
        for module in (signed_links, signed_link_issuer):
            self.patches.enter_context(mock.patch.object(module, "time", self.clock))
        shutil.copytree(self.template, self.folder / "served")
        self.signing_keys = ["key0"]  # the first signs
        self.signing_key_count = 1
        self.revoked: set[str] = set()
        self.start()

    def start(self) -> None:
        """Start the service, with the signing keys that are in use."""
        self.stack.close()
        link_keys = tuple((name, Secret(name * 20)) for name in self.signing_keys)
        self.app = self.stack.enter_context(
            running_app(self.folder, self.embedder, link_keys=link_keys, rate_link=UNLIMITED)
        )
        self.client = self.app.test_client()
        self.documents = {document.name: document for document in self.app.services.catalog.documents()}

    @property
    def book(self) -> Document:
        return self.documents[BOOK]

    @rule(
        target=keys,
        scopes=st.sets(st.sampled_from(SCOPES), min_size=1),
        collection=st.sampled_from([None, PUBLIC, OTHER]),
    )
    def make_key(self, scopes: set[str], collection: str | None) -> tuple[str, str, frozenset[str], str | None]:
        key, text = self.app.services.api_keys.create_key("a key", scopes, [collection] if collection else None)
        return key.id, text, frozenset(scopes), collection

    @rule(key=keys)
    def revoke(self, key: tuple) -> None:
        assert self.app.services.api_keys.revoke_key(key[0]) == (key[0] not in self.revoked)
        self.revoked.add(key[0])

    def get(self, path: str, text: str) -> int:
        return self.client.get(path, headers={"Authorization": f"Bearer {text}"}).status_code

    def may_read(self, key: tuple) -> bool:
        return key[0] not in self.revoked and bool(key[2] & {"read", "admin"}) and key[3] != OTHER

    @rule(key=keys)
    def read(self, key: tuple) -> None:
        status = self.get(f"/api/v1/documents/{self.book.id}", key[1])
        if key[0] in self.revoked:
            assert status == 401
        elif not key[2] & {"read", "admin"}:
            assert status == 403
        else:
            assert status == (404 if key[3] == OTHER else 200)

    @rule(key=keys, at=st.integers(0, 200), letter=st.sampled_from(LETTERS))
    def read_with_altered_key(self, key: tuple, at: int, letter: str) -> None:
        text = alter(key[1], at, letter)
        if text != key[1]:
            assert self.get(f"/api/v1/documents/{self.book.id}", text) == 401

    @rule(
        target=links,
        key=keys,
        scope=st.sampled_from(LINK_SCOPES),
        permissions=st.sampled_from(PERMISSIONS),
        seconds=st.sampled_from([2, 600]),
    )
    def make_link(self, key: tuple, scope: str, permissions: tuple[str, ...], seconds: int) -> object:
        response = self.client.post(
            "/api/v1/embed/links",
            json={"document_id": self.book.id, "chunk_index": 0, "question": "When?", "scope": scope,
                  "may": permissions, "expires_in": seconds},
            headers={"Authorization": f"Bearer {key[1]}"},
        )  # fmt: skip
        assert (response.status_code == 200) == self.may_read(key)
        if response.status_code != 200:
            return multiple()
        token, path = response.json["token"], response.json["path"]
        expires = self.app.services.link_keys.verify(token).expires
        return Link(key, self.signing_keys[0], token, path, scope, permissions, expires)

    def open(self, link: Link, path: str, status: int) -> None:
        """Open an address below a link, and compare the status with the given one if the link is valid, else with its own."""
        began = int(self.clock.time())
        found = self.client.get(path, follow_redirects=True, buffered=True).status_code  # a file is closed
        ended = int(self.clock.time())
        if link.signing_key not in self.signing_keys:
            assert found == 403
        elif link.expires <= began:
            assert found == 410
        elif link.key[0] in self.revoked:
            assert found in ({403, 410} if link.expires <= ended else {403})
        else:
            assert found in ({status, 410} if link.expires <= ended else {status})

    @rule(link=links)
    def open_link(self, link: Link) -> None:
        self.open(link, link.path, 200)

    @rule(link=links, name=st.sampled_from([BOOK, NOTE, FOREIGN]), chunk=st.sampled_from([0, 1]))
    def open_other_section(self, link: Link, name: str, chunk: int) -> None:
        """A link opens its section, its document or its collection, as its scope says, and nothing of another collection."""
        document = self.documents[name]
        chunk = chunk if name == BOOK else 0
        place = self.app.services.catalog.chunk(document, chunk)
        path = f"{link.path}/{document.id}/{chunk}?start={place.start}&end={place.end}&v={place.pipeline}"
        if link.scope == COLLECTION_SCOPE:
            status = 404 if name == FOREIGN else 200
        elif name == BOOK:
            status = 200 if link.scope != CHUNK_SCOPE or chunk == 0 else 403
        else:
            status = 403
        self.open(link, path, status)

    @rule(link=links)
    def download(self, link: Link) -> None:
        is_allowed = link.scope != CHUNK_SCOPE and DOWNLOAD_PERMISSION in link.permissions
        self.open(link, f"{link.path}/{self.book.id}/original", 200 if is_allowed else 403)

    @rule(link=links, at=st.integers(0, 600), letter=st.sampled_from(LETTERS + "."))
    def open_altered_link(self, link: Link, at: int, letter: str) -> None:
        altered = alter(link.token, at, letter)
        if altered != link.token:
            assert self.client.get(link.path.replace(link.token, altered)).status_code in (403, 404)

    @rule()
    def let_time_pass(self) -> None:
        self.clock.ahead_seconds += 1

    @rule()
    def add_signing_key(self) -> None:
        """Sign with a new key from now on; links of the earlier ones live on."""
        self.signing_keys.insert(0, f"key{self.signing_key_count}")
        self.signing_key_count += 1
        self.start()

    @rule()
    def retire_signing_keys(self) -> None:
        """Forget all signing keys but the newest: the links of the others end."""
        del self.signing_keys[1:]
        self.start()

    def teardown(self) -> None:
        self.stack.close()
        self.patches.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def alter(text: str, at: int, letter: str) -> str:
    """Return a text with another letter at a position."""
    at %= len(text)
    return text[:at] + letter + text[at + 1 :]
