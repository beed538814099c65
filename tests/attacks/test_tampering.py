"""A key, a signed link and a session with any one character changed open nothing."""

from __future__ import annotations

import secrets
import string
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

import pytest

from highlighter.access import Principal
from highlighter.secret import Secret
from highlighter.sign_in.people import Person
from highlighter.signed_links import DOCUMENT_SCOPE, ExpiredLink, Grant, InvalidLink, LinkKeys
from highlighter.store.keys import KEY_PREFIX
from highlighter.web.auth.browser_session import SESSION_COOKIE, add_session
from ingest.pipeline import ingest_file
from tests.conftest import write_note
from tests.highlighter.web.auth.clients import client_with_key, client_with_secret, running_app

CHARACTERS = string.ascii_letters + string.digits + "-_"
SECRET = "The ferry leaves the island at seven"


@pytest.fixture
def app(tmp_path, embedder, process_pool):
    with running_app(tmp_path, embedder, require_keys=True) as application:
        ingest_file(write_note(tmp_path), application.services, process_pool)
        yield application


def mutate(token: str, per_position: int, seed: int = 20) -> list[str]:
    """Return the token with each of its characters replaced, some ways each, with one left out, doubled, and swapped."""
    random = Random(seed)
    mutants = {token[:-1], token[1:], token + token[-1], token.swapcase(), token[::-1], token + "\0", token + " x", ""}
    for index, letter in enumerate(token):
        others = random.sample([other for other in CHARACTERS if other != letter], per_position)
        mutants |= {token[:index] + other + token[index + 1 :] for other in (*others, "%00", "é", "")}
        mutants.add(token[:index] + token[index + 1 : index + 2] + letter + token[index + 2 :])
    return sorted(mutants - {token, f"{token} x".strip()})


def replace_each_letter(token: str) -> Iterator[str]:
    """Yield the token with each of its characters replaced by each other one that a token may have."""
    for index, letter in enumerate(token):
        for other in CHARACTERS + ".":
            if other != letter:
                yield token[:index] + other + token[index + 1 :]


def count_valid_links(keys: LinkKeys, tokens: Iterable[str]) -> int:
    """Return how many of these tokens open a link."""
    valid = 0
    for token in tokens:
        with suppress(InvalidLink, ExpiredLink):
            keys.verify(token)
            valid += 1
    return valid


def test_key_with_any_letter_replaced_by_any_other_opens_nothing(app):
    _, secret = app.services.api_keys.create_key("Reader", ["admin"])
    find_principal = app.services.api_keys.find_principal
    assert find_principal(secret) is not None
    assert [mutant for mutant in replace_each_letter(secret) if find_principal(mutant) is not None] == []


def test_signature_with_any_letter_replaced_by_any_other_is_refused():
    """The last letter of Base64 has bits that mean nothing: several letters would stand for the same bytes."""
    keys = LinkKeys((("a", Secret("s" * 43)),))
    token = keys.sign(Grant(DOCUMENT_SCOPE, "default", "d" * 32, expires=int(time.time()) + 3600))
    head, _, signature = token.rpartition(".")
    assert count_valid_links(keys, [token]) == 1
    assert count_valid_links(keys, (f"{head}.{mutant}" for mutant in replace_each_letter(signature))) == 0


def test_changed_key_opens_nothing(app):
    _, secret = app.services.api_keys.create_key("Reader", ["admin"])
    assert secret.startswith(KEY_PREFIX)
    assert client_with_secret(app, secret).get("/api/v1/documents").status_code == 200
    mutants = mutate(secret, 4)
    assert len(mutants) > 200
    find_principal = app.services.api_keys.find_principal
    assert [mutant for mutant in mutants if find_principal(mutant) is not None] == []
    for mutant in mutants[::20]:
        refused = app.test_client().get("/api/v1/documents", headers={"Authorization": f"Bearer {mutant}"})
        assert refused.status_code == 401, mutant


def test_changed_link_opens_nothing(app):
    key = client_with_key(app, "read")
    token = key.post("/api/v1/embed/links", json={"quote": SECRET}).json["path"].rpartition("/")[2]
    reader = app.test_client()
    assert SECRET in reader.get(f"/embed/{token}").text
    for mutant in mutate(token, 1)[::8]:
        refused = reader.get(f"/embed/{mutant}")
        assert refused.status_code in (401, 403, 404), mutant
        assert SECRET not in refused.text


def test_parts_of_two_links_open_nothing(app):
    key = client_with_key(app, "read")
    tokens = [key.post("/api/v1/embed/links", json=body).json["path"].rpartition("/")[2].split(".")
              for body in ({"quote": SECRET}, {"quote": SECRET, "expires_in": 60, "may": ["view"]})]  # fmt: skip
    (header, claims, signature), (_, other_claims, other_signature) = tokens
    for token in (
        f"{header}.{other_claims}.{signature}",
        f"{header}.{claims}.{other_signature}",
        f"{header}.{claims}.",
    ):
        assert app.test_client().get(f"/embed/{token}").status_code in (403, 404)


def test_link_opens_nothing_but_what_it_names(app, tmp_path, process_pool):
    """Whoever has a link changes the rest of its address."""
    path = tmp_path / "other.txt"
    path.write_text("The tender of the other firm is sealed.", encoding="utf-8")
    other = ingest_file(path, app.services, process_pool).document
    (note,) = (document for document in app.services.catalog.documents() if document.id != other.id)
    link = (
        client_with_key(app, "read").post("/api/v1/embed/links", json={"quote": SECRET, "may": ["view"]}).json["path"]
    )
    reader = app.test_client()
    for rest in (
        f"{other.id}/0",
        f"{other.id}/original",
        f"{other.id}/pdf",
        f"{other.id}/pages/1.png",
        f"{note.id}/original",
        f"{note.id}/pdf",
        f"{note.id}/0.pdf",
        f"{note.id}/../{other.id}/0",
        f"{note.id}/0/../../{other.id}/0",
        "../../documents",
    ):
        with reader.get(f"{link}/{rest}") as refused:
            assert refused.status_code in (401, 403, 404), rest
            assert "sealed" not in refused.text
    for query in (
        f"document_id={other.id}",
        f"d={other.id}",
        "scope=collection",
        "may=download",
        "q=tender",
        f"at={other.id}",
    ):
        assert "sealed" not in reader.get(f"{link}?{query}").text


def test_session_of_a_person_with_any_letter_replaced_is_nobodys(app):
    people = app.services.people
    secret = people.begin_session(Person("1", "Ann", frozenset()), "attempt", "", hours=1)
    assert people.find_session(secret) is not None
    assert [mutant for mutant in replace_each_letter(secret) if people.find_session(mutant)] == []


def test_session_of_a_browser_with_any_letter_replaced_is_another(app):
    nobody = Principal("nobody", frozenset(), None)

    def find_owner(cookie: str) -> str:
        with app.test_request_context(headers={"Cookie": f"{SESSION_COOKIE}={cookie}"}):
            return add_session(nobody).history_owner

    cookie = secrets.token_urlsafe(24)
    owner = find_owner(cookie)
    assert owner == find_owner(cookie) != ""
    assert [mutant for mutant in replace_each_letter(cookie) if find_owner(mutant) == owner] == []


def test_changed_session_shows_no_history(tmp_path, embedder, process_pool):
    with running_app(tmp_path, embedder) as app:
        ingest_file(write_note(tmp_path), app.services, process_pool)
        reader, stranger = app.test_client(), app.test_client()
        reader.post("/", data={"question": "When does the ferry leave?"})
        assert "When does the ferry leave?" in reader.get("/answers").text
        cookies = list(reader._cookies.values())
        assert cookies
        for cookie in cookies:
            for mutant in mutate(cookie.value, 1)[::5]:
                if mutant.isascii() and mutant.isprintable():
                    stranger.set_cookie(cookie.key, mutant)
                    assert "When does the ferry leave?" not in stranger.get("/answers").text
