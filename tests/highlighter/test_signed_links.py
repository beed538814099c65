"""Signed links: what was granted comes back, and nothing else does."""

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


def grant(**what) -> Grant:
    usual = {"collection": "tenders", "document_id": "a" * 32, "chunk_index": 3, "question": "Wer zahlt? 誰付款？ 🚢"}
    return Grant(CHUNK_SCOPE, **{**usual, "expires": int(time.time()) + 600, **what})


def made_by_hand(header: dict, claims: dict, secret: str = "n" * 32) -> str:
    return jwt.encode(claims, secret, header.get("alg", "HS256"), headers=header)


@given(st.text(max_size=200), st.tuples(st.integers(0, 9**9), st.integers(0, 9**9)) | st.none())
def test_what_was_granted_comes_back(question, span):
    made = grant(question=question, span=span, origins=("https://chat.example",), permissions=("view",))
    assert KEYS.verify(KEYS.sign(made)) == made


def test_every_letter_changed_into_every_other_is_refused():
    """The unused bits of a part's last letter, too."""
    token = KEYS.sign(grant(question="q"))
    for at, letter in enumerate(token):
        for other in LETTERS if at % 7 == 0 or at > len(token) - 4 else (chr(ord(letter) ^ 1), chr(ord(letter) ^ 32)):
            if other != letter:
                with pytest.raises(InvalidLink):
                    KEYS.verify(token[:at] + other + token[at + 1 :])


def test_every_byte_flipped_is_refused():
    token = KEYS.sign(grant()).encode()
    for at in range(len(token)):
        for bit in range(8):
            flipped = token[:at] + bytes([token[at] ^ (1 << bit)]) + token[at + 1 :]
            with pytest.raises(InvalidLink):
                KEYS.verify(flipped.decode("latin-1"))


@pytest.mark.parametrize("change", [lambda t: t + "=", lambda t: t + "==", lambda t: t[:-1], lambda t: t + "A",
                                    lambda t: " " + t, lambda t: t + "\n", lambda t: t + ".", lambda t: "",
                                    lambda t: t.replace(".", "=.", 1), lambda t: t * 40])  # fmt: skip
def test_there_is_one_way_to_write_a_token(change):
    token = KEYS.sign(grant())
    with pytest.raises(InvalidLink):
        KEYS.verify(change(token))


def test_a_link_that_has_run_out_says_so():
    with pytest.raises(ExpiredLink):
        KEYS.verify(KEYS.sign(grant(expires=int(time.time()) - 1)))


@pytest.mark.parametrize("header", [{"alg": "none", "kid": "new"}, {"alg": "HS384", "kid": "new"},
                                    {"alg": "HS512", "kid": "new"}])  # fmt: skip
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_no_other_algorithm_is_taken_whatever_the_token_says(header):
    claims = {"v": 1, "s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    if header["alg"] == "none":
        parts = (json.dumps(part).encode() for part in (header, claims))
        token = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."
    else:
        token = made_by_hand(header, claims)
    with pytest.raises(InvalidLink):
        KEYS.verify(token)


@pytest.mark.parametrize("kid", [None, "gone", "old", 7])
def test_a_key_is_known_by_its_id_alone(kid):
    claims = {"v": 1, "s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    header = {"typ": "JWT", "alg": "HS256", **({"kid": kid} if kid is not None else {})}
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (header, claims)]
    signed = jwt.get_algorithm_by_name("HS256").sign(".".join(parts).encode(), b"n" * 32)
    parts.append(base64.urlsafe_b64encode(signed).decode().rstrip("="))
    with pytest.raises(InvalidLink):
        KEYS.verify(".".join(parts))


@pytest.mark.parametrize("claims", [{"v": 2}, {}, {"v": 1, "exp": None}, {"v": 1, "exp": "soon"}])
def test_what_another_version_meant_is_not_guessed(claims):
    usual = {"s": "collection", "c": "tenders", "exp": int(time.time()) + 60}
    token = made_by_hand({"kid": "new"}, {**usual, **claims})
    with pytest.raises(InvalidLink):
        KEYS.verify(token)


def test_links_of_a_key_that_was_first_before_still_open():
    before = LinkKeys((OLD,)).sign(grant())
    assert KEYS.verify(before).document_id == "a" * 32
    with pytest.raises(InvalidLink):
        LinkKeys((NEW,)).verify(before)


def test_more_words_than_a_link_can_hold_are_refused():
    with pytest.raises(BadRequest, match="too long"):
        KEYS.sign(grant(question="長" * 1000))
    assert len(KEYS.sign(grant(question="長" * 500))) <= MAX_TOKEN_CHARACTERS


def test_without_a_setting_one_key_is_made_kept_and_shown_to_nobody_else(tmp_path):
    first, second = load_link_keys((), tmp_path / "data"), load_link_keys((), tmp_path / "data")
    made = grant()
    assert second.verify(first.sign(made)) == made
    kept = tmp_path / "data" / KEY_FILE_NAME
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [one.name for one in kept.parent.iterdir()] == [KEY_FILE_NAME]
    with pytest.raises(InvalidLink):
        load_link_keys((), tmp_path / "elsewhere").verify(first.sign(made))
