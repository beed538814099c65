"""What a signed link lets its bearer see: one frozen value, and how it is written as claims."""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt

from highlighter.errors import BadRequest, Forbidden, HighlighterError
from highlighter.locale import N_
from highlighter.secret import Secret

CLAIMS_VERSION = 1
# How far a link reaches.
CHUNK_SCOPE, DOCUMENT_SCOPE, COLLECTION_SCOPE = LINK_SCOPES = ("chunk", "document", "collection")
# What may be opened: the text, pictures of pages, files to keep.
VIEW_PERMISSION, PAGE_PERMISSION, DOWNLOAD_PERMISSION = LINK_PERMISSIONS = ("view", "page", "download")


@dataclass(frozen=True, slots=True)
class Grant:
    """`document` and `chunk` are where the link opens; how far else it reaches, `scope` says."""

    scope: str
    collection: str
    document: str = ""  # "" only for a whole collection
    chunk: int = 0
    pipeline: int = 0  # that cut the chunk, and where the chunk began: a later one does not move it
    begin: int = 0
    page: int = 0  # where its pages open
    question: str = ""
    span: tuple[int, int] | None = None  # lit in any case
    quote: str = ""  # what the span is held against, when it was not found word for word
    may: tuple[str, ...] = LINK_PERMISSIONS
    origins: tuple[str, ...] = ()  # who may frame it, besides us
    expires: int = 0  # seconds since 1970
    key: str = ""  # the public id of the key that it was asked for with: a link ends with its key

    def is_in_scope(self, document_id: str, chunk: int | None = None) -> bool:
        """Whether a document, or a part of it, is within the link's scope; its collection is held elsewhere."""
        if self.scope == COLLECTION_SCOPE:
            return True
        return document_id == self.document and (self.scope == DOCUMENT_SCOPE or chunk in (None, self.chunk))

    def is_same_chunk(self, pipeline: int | None, begin: int | None) -> bool:
        """A link for one part alone holds it by its place and pipeline, too: the same number may come to mean another."""
        return self.scope != CHUNK_SCOPE or (pipeline, begin) == (self.pipeline, self.begin)


# Each field by one letter: a link must fit into the first line of a request.
_CLAIM_NAMES = {
    "scope": "s", "collection": "c", "document": "d", "chunk": "n", "pipeline": "p", "begin": "b", "page": "g",
    "question": "q", "span": "a", "quote": "t", "may": "m", "origins": "o", "expires": "exp",
    "key": "k",
}  # fmt: skip
_EMPTY_VALUES = ("", 0, None, ())


def encode_claims(grant: Grant) -> dict[str, Any]:
    claims = {letter: getattr(grant, name) for name, letter in _CLAIM_NAMES.items()}
    return {"v": CLAIMS_VERSION, **{letter: value for letter, value in claims.items() if value not in _EMPTY_VALUES}}


def decode_claims(claims: Mapping[str, Any]) -> Grant | None:
    """Nothing when they were made by another version of this program, which meant something else by them."""
    if claims.get("v") != CLAIMS_VERSION or not isinstance(claims.get("exp"), int):
        return None
    given = {name: claims[letter] for name, letter in _CLAIM_NAMES.items() if letter in claims}
    for name in ("span", "may", "origins"):
        if name in given:
            given[name] = tuple(given[name])
    return Grant(**{"may": (), **given})


# Signed links: a grant as a token that nobody can alter, and back. HS256 and nothing else, whatever a token says.


ALGORITHM = "HS256"
KEY_FILE_NAME = "link.key"
# What browsers, proxies and gunicorn (4,094 for the whole line of a request) take without a word.
MAX_TOKEN_CHARACTERS = 3_000
_TOKEN_PATTERN = re.compile(
    r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", re.ASCII
)  # no padding: a token is written one way


class ExpiredLink(HighlighterError):
    status, title = 410, N_("This link has expired")

    def __init__(self, grant: Grant) -> None:
        super().__init__("Open it again from the page it came from.")
        self.grant = grant  # what it was, as we signed it


class InvalidLink(Forbidden):
    title = N_("Invalid link")

    def __init__(self) -> None:
        super().__init__("The link is incomplete or was changed, or its key is no longer used. Request a new link.")


class _UnicodeJsonEncoder(json.JSONEncoder):
    """Chinese as it is, in half the letters."""

    def __init__(self, **how):
        super().__init__(**{**how, "ensure_ascii": False})


class LinkKeys:
    """The first key signs; all of them are known, so that a new one can take over while old links run out."""

    def __init__(self, keys: tuple[tuple[str, Secret], ...]):
        self._signing_key, self._secrets_by_id = keys[0], dict(keys)

    def sign(self, grant: Grant) -> str:
        kid, secret = self._signing_key
        token = jwt.encode(
            encode_claims(grant), secret.reveal(), ALGORITHM, headers={"kid": kid}, json_encoder=_UnicodeJsonEncoder
        )
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise BadRequest("The question and the quote are too long for a link. Shorten them.")
        return token

    def verify(self, token: str) -> Grant:
        """Raises Expired, or Altered for everything else that is not exactly as we signed it."""
        if len(token) > MAX_TOKEN_CHARACTERS or not _TOKEN_PATTERN.fullmatch(token):
            raise InvalidLink
        try:
            secret = self._secrets_by_id[str(jwt.get_unverified_header(token).get("kid"))].reveal()
            # The time is looked at by ourselves: of a link that has expired we still know that it was ours.
            how = {"require": ["exp"], "verify_exp": False, "verify_iat": False}
            grant = decode_claims(jwt.decode(token, secret, [ALGORITHM], options=how))
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError) as err:
            raise InvalidLink from err
        if grant is None:
            raise InvalidLink
        if grant.expires <= time.time():
            raise ExpiredLink(grant)
        return grant


def load_link_keys(configured: tuple[tuple[str, Secret], ...], data_dir: Path) -> LinkKeys:
    """Those that the settings name; else one that is made once and kept where the documents are."""
    return LinkKeys(configured or _load_key_file(data_dir / KEY_FILE_NAME))


def _load_key_file(path: Path) -> tuple[tuple[str, Secret]]:
    if not path.exists():
        _create_key_file(path)
    kid, _, secret = path.read_text(encoding="ascii").strip().partition(":")
    return ((kid, Secret(secret)),)


def _create_key_file(path: Path) -> None:
    """Whole or not at all, and the first wins: two services may start at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=path.parent, prefix=KEY_FILE_NAME)  # readable by its owner alone
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(4)}:{secrets.token_urlsafe(32)}\n")
            file.flush()
            os.fsync(handle)
        os.link(written, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(written)
