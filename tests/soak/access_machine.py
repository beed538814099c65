"""Keys and signed links that Hypothesis makes, uses, alters and revokes in any order: nobody gets in who may not."""

from __future__ import annotations

import shutil
import string
import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule

from highlighter.embedding.embedder import Embedder
from tests.highlighter.web.auth.clients import running_app
from tests.properties import st

SCOPES = ("read", "ingest", "answer", "admin")
LETTERS = string.ascii_letters + string.digits + "-_"
PUBLIC, OTHER = "default", "other"


class AccessMachine(RuleBasedStateMachine):
    """A service with a document, its keys with their texts, and the links that keys made."""

    template: Path  # a data folder with the note
    embedder: Embedder
    keys, links = Bundle("keys"), Bundle("links")

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.stack = Path(tempfile.mkdtemp(prefix="machine-")), ExitStack()
        shutil.copytree(self.template, self.folder / "served")
        self.app = self.stack.enter_context(running_app(self.folder, self.embedder))
        self.client = self.app.test_client()
        (self.document,) = self.app.services.catalog.documents()
        self.revoked: set[str] = set()

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
        status = self.get(f"/api/v1/documents/{self.document.id}", key[1])
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
            assert self.get(f"/api/v1/documents/{self.document.id}", text) == 401

    @rule(target=links, key=keys)
    def make_link(self, key: tuple) -> object:
        response = self.client.post(
            "/api/v1/embed/links",
            json={"document_id": self.document.id, "question": "When?"},
            headers={"Authorization": f"Bearer {key[1]}"},
        )
        assert (response.status_code == 200) == self.may_read(key)
        return (key, response.json["token"], response.json["path"]) if response.status_code == 200 else multiple()

    @rule(link=links)
    def open_link(self, link: tuple) -> None:
        key, _, path = link
        assert self.client.get(path).status_code == (403 if key[0] in self.revoked else 200)

    @rule(link=links, at=st.integers(0, 600), letter=st.sampled_from(LETTERS + "."))
    def open_altered_link(self, link: tuple, at: int, letter: str) -> None:
        _, token, path = link
        altered = alter(token, at, letter)
        if altered != token:
            assert self.client.get(path.replace(token, altered)).status_code in (403, 404)

    def teardown(self) -> None:
        self.stack.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def alter(text: str, at: int, letter: str) -> str:
    """Return a text with another letter at a position."""
    at %= len(text)
    return text[:at] + letter + text[at + 1 :]
