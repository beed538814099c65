"""Tests of signed links: only tokens that are exactly as signed are verified."""

from __future__ import annotations

import base64
import json
import stat
import time

import jwt
import pytest

from highlighter.errors import BadRequest
from highlighter.secret import Secret
from highlighter.signed_links import (
    CHUNK_SCOPE,
    KEY_FILE_NAME,
    MAX_TOKEN_CHARACTERS,
    ExpiredLink,
    Grant,
    InvalidLink,
    LinkKeys,
    load_link_keys,
)
from tests.properties import given, st

OLD, NEW = ("old", Secret("o" * 32)), ("new", Secret("n" * 32))
KEYS = LinkKeys((NEW, OLD))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def make_grant(**fields) -> Grant:
    defaults = {
        "collection": "tenders",
        "document_id": "a" * 32,
        "chunk_index": 3,
        "question": "Wer zahlt? 誰付款？ 🚢",
    }
    return Grant(CHUNK_SCOPE, **{**defaults, "expires": int(time.time()) + 600, **fields})


def encode_token(header: dict, claims: dict, secret: str = "n" * 32) -> str:
    return jwt.encode(claims, secret, header.get("alg", "HS256"), headers=header)


@given(st.text(max_size=200), st.tuples(st.integers(0, 9**9), st.integers(0, 9**9)) | st.none())
def test_verified_grant_equals_signed_grant(question, span):
    grant = make_grant(question=question, span=span, origins=("https://chat.example",), permissions=("view",))
    assert KEYS.verify(KEYS.sign(grant)) == grant


def test_token_with_changed_letter_is_refused():
    """Unused bits of the last letter of a part count, too."""
    token = KEYS.sign(make_grant(question="q"))
    for index, letter in enumerate(token):
        for other in (
            LETTERS if index % 7 == 0 or index > len(token) - 4 else (chr(ord(letter) ^ 1), chr(ord(letter) ^ 32))
        ):
            if other != letter:
                with pytest.raises(InvalidLink):
                    KEYS.verify(token[:index] + other + token[index + 1 :])


def test_token_with_flipped_bit_is_refused():
    token = KEYS.sign(make_grant()).encode()
    for index in range(len(token)):
        for bit in range(8):
            flipped = token[:index] + bytes([token[index] ^ (1 << bit)]) + token[index + 1 :]
            with pytest.raises(InvalidLink):
                KEYS.verify(flipped.decode("latin-1"))


@pytest.mark.parametrize("change", [lambda t: t + "=", lambda t: t + "==", lambda t: t[:-1], lambda t: t + "A",
                                    lambda t: " " + t, lambda t: t + "\n", lambda t: t + ".", lambda t: "",
                                    lambda t: t.replace(".", "=.", 1), lambda t: t * 40])  # fmt: skip
def test_token_has_one_valid_form(change):
    token = KEYS.sign(make_grant())
    with pytest.raises(InvalidLink):
        KEYS.verify(change(token))


def test_expired_token_raises_expired_link():
    with pytest.raises(ExpiredLink):
        KEYS.verify(KEYS.sign(make_grant(expires=int(time.time()) - 1)))


@pytest.mark.parametrize("header", [{"alg": "none", "kid": "new"}, {"alg": "HS384", "kid": "new"},
                                    {"alg": "HS512", "kid": "new"}])  # fmt: skip
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_other_algorithms_are_refused(header):
    claims = {"v": 1, "s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    if header["alg"] == "none":
        parts = (json.dumps(part).encode() for part in (header, claims))
        token = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."
    else:
        token = encode_token(header, claims)
    with pytest.raises(InvalidLink):
        KEYS.verify(token)


@pytest.mark.parametrize("kid", [None, "gone", "old", 7])
def test_token_with_unknown_or_wrong_key_id_is_refused(kid):
    claims = {"v": 1, "s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    header = {"typ": "JWT", "alg": "HS256", **({"kid": kid} if kid is not None else {})}
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (header, claims)]
    signed = jwt.get_algorithm_by_name("HS256").sign(".".join(parts).encode(), b"n" * 32)
    parts.append(base64.urlsafe_b64encode(signed).decode().rstrip("="))
    with pytest.raises(InvalidLink):
        KEYS.verify(".".join(parts))


@pytest.mark.parametrize("claims", [{"v": 2}, {}, {"v": 1, "exp": None}, {"v": 1, "exp": "soon"}])
def test_claims_of_other_versions_are_refused(claims):
    defaults = {"s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    token = encode_token({"kid": "new"}, {**defaults, **claims})
    with pytest.raises(InvalidLink):
        KEYS.verify(token)


def test_tokens_of_previous_signing_key_are_valid():
    token = LinkKeys((OLD,)).sign(make_grant())
    assert KEYS.verify(token).document_id == "a" * 32
    with pytest.raises(InvalidLink):
        LinkKeys((NEW,)).verify(token)


def test_grant_that_is_too_long_is_refused():
    with pytest.raises(BadRequest, match="too long"):
        KEYS.sign(make_grant(question="長" * 1000))
    assert len(KEYS.sign(make_grant(question="長" * 500))) <= MAX_TOKEN_CHARACTERS


def test_key_file_is_created_once_and_readable_by_owner_only(tmp_path):
    first, second = load_link_keys((), tmp_path / "data"), load_link_keys((), tmp_path / "data")
    grant = make_grant()
    assert second.verify(first.sign(grant)) == grant
    key_file = tmp_path / "data" / KEY_FILE_NAME
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert [path.name for path in key_file.parent.iterdir()] == [KEY_FILE_NAME]
    with pytest.raises(InvalidLink):
        load_link_keys((), tmp_path / "elsewhere").verify(first.sign(grant))
