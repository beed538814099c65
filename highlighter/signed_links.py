"""Signed links: what a link grants to its bearer, and how the grant is encoded, signed and verified."""

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
from jwt.types import Options

from highlighter.errors import BadRequest, Forbidden, HighlighterError
from highlighter.locale import N_
from highlighter.secret import Secret

GRANT_VERSION = 1
# How much a link opens.
CHUNK_SCOPE, DOCUMENT_SCOPE, COLLECTION_SCOPE = LINK_SCOPES = ("chunk", "document", "collection")
# What a link lets its bearer open: the text, page images, files to download.
VIEW_PERMISSION, PAGE_PERMISSION, DOWNLOAD_PERMISSION = LINK_PERMISSIONS = ("view", "page", "download")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a signed link grants. The link opens at `document_id` and `chunk_index`; `scope` says how much else it opens."""

    scope: str
    collection: str
    document_id: str = ""  # "" only for a whole collection
    chunk_index: int = 0
    # The pipeline that cut the chunk, and the start of the chunk: with both, a later pipeline does not move the link.
    pipeline: int = 0
    chunk_start: int = 0
    page: int = 0  # at which the page view opens
    question: str = ""
    span: tuple[int, int] | None = None  # highlighted whatever its score
    quote: str = ""  # compared with the span, when the span does not say it word for word
    permissions: tuple[str, ...] = LINK_PERMISSIONS
    origins: tuple[str, ...] = ()  # that may frame the viewer, besides our own
    expires: int = 0  # seconds since 1970
    key: str = ""  # the public id of the API key that requested the link: the link ends with the key

    def is_in_scope(self, document_id: str, chunk_index: int | None = None) -> bool:
        """Return whether a document, or one of its chunks, is in the link's scope. The principal limits the collection."""
        if self.scope == COLLECTION_SCOPE:
            return True
        is_in_chunk_scope = self.scope == DOCUMENT_SCOPE or chunk_index in (None, self.chunk_index)
        return document_id == self.document_id and is_in_chunk_scope

    def is_same_chunk(self, pipeline: int | None, chunk_start: int | None) -> bool:
        """Return whether a link for one chunk means the chunk of this pipeline and start; True for any other link.

        The index alone is not enough: under another pipeline, the same index means another chunk.
        """
        return self.scope != CHUNK_SCOPE or (pipeline, chunk_start) == (self.pipeline, self.chunk_start)


# The fields' names are one letter each, because a link must fit into the request line.
_CLAIM_NAMES = {
    "scope": "s", "collection": "c", "document_id": "d", "chunk_index": "n", "pipeline": "p", "chunk_start": "b", "page": "g",
    "question": "q", "span": "a", "quote": "t", "permissions": "m", "origins": "o", "expires": "exp",
    "key": "k",
}  # fmt: skip
_EMPTY_VALUES = ("", 0, None, ())


def encode_grant(grant: Grant) -> dict[str, Any]:
    """Return the claims of a token, without fields that are empty."""
    claims = {letter: getattr(grant, name) for name, letter in _CLAIM_NAMES.items()}
    return {"v": GRANT_VERSION, **{letter: value for letter, value in claims.items() if value not in _EMPTY_VALUES}}


def decode_grant(claims: Mapping[str, Any]) -> Grant | None:
    """Return the grant of a token's claims; None for claims of another version, which may mean something else."""
    if claims.get("v") != GRANT_VERSION or not isinstance(claims.get("exp"), int):
        return None
    fields = {name: claims[letter] for name, letter in _CLAIM_NAMES.items() if letter in claims}
    for name in ("span", "permissions", "origins"):
        if name in fields:
            fields[name] = tuple(fields[name])
    return Grant(**{"permissions": (), **fields})  # no permissions are left out as empty, too


# Tokens: a grant, signed with HS256. No other algorithm is accepted, whatever a token's header says.

ALGORITHM = "HS256"
KEY_FILE_NAME = "link.key"
# Browsers, proxies and gunicorn (4,094 for the whole request line) accept tokens of this length.
MAX_TOKEN_CHARACTERS = 3_000
# Without padding, so that there is one way to write a token.
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", re.ASCII)


class ExpiredLink(HighlighterError):
    """A link whose signature is valid and whose time is over."""

    status, title = 410, N_("This link has expired")

    def __init__(self, grant: Grant) -> None:
        super().__init__("Open it again from the page it came from.")
        self.grant = grant


class InvalidLink(Forbidden):
    """A token that none of our keys signed in this form."""

    title = N_("Invalid link")

    def __init__(self) -> None:
        super().__init__("The link is incomplete or was changed, or its key is no longer used. Request a new link.")


class _UnicodeJsonEncoder(json.JSONEncoder):
    """An encoder that does not escape characters: Chinese takes half the space."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "ensure_ascii": False})


class LinkKeys:
    """The keys of signed links. The first key signs, and all of them verify, so that keys can be rotated while links live."""

    def __init__(self, keys: tuple[tuple[str, Secret], ...]):
        self._signing_key, self._secrets_by_id = keys[0], dict(keys)

    def sign(self, grant: Grant) -> str:
        """Return the token of a grant; raise BadRequest when it would be too long for a URL."""
        kid, secret = self._signing_key
        token = jwt.encode(
            encode_grant(grant), secret.reveal(), ALGORITHM, headers={"kid": kid}, json_encoder=_UnicodeJsonEncoder
        )
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise BadRequest("The question and the quote are too long for a link. Shorten them.")
        return token

    def verify(self, token: str) -> Grant:
        """Return the grant of a token; raise ExpiredLink, or InvalidLink for a token that is not exactly as we signed it."""
        if len(token) > MAX_TOKEN_CHARACTERS or not _TOKEN_PATTERN.fullmatch(token):
            raise InvalidLink
        try:
            secret = self._secrets_by_id[str(jwt.get_unverified_header(token).get("kid"))].reveal()
            # The expiry is compared below, so that the error for an expired link can carry its grant.
            options: Options = {"require": ["exp"], "verify_exp": False, "verify_iat": False}
            grant = decode_grant(jwt.decode(token, secret, [ALGORITHM], options=options))
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError) as err:
            raise InvalidLink from err
        if grant is None:
            raise InvalidLink
        if grant.expires <= time.time():
            raise ExpiredLink(grant)
        return grant


def load_link_keys(configured: tuple[tuple[str, Secret], ...], data_dir: Path) -> LinkKeys:
    """Return the keys of the settings; without any, the key in the data folder, which is created on first use."""
    return LinkKeys(configured or _load_key_file(data_dir / KEY_FILE_NAME))


def _load_key_file(path: Path) -> tuple[tuple[str, Secret]]:
    if not path.exists():
        _create_key_file(path)
    kid, _, secret = path.read_text(encoding="ascii").strip().partition(":")
    return ((kid, Secret(secret)),)


def _create_key_file(path: Path) -> None:
    """Create the key file atomically; an existing one stays, because two services may start at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary_path = tempfile.mkstemp(dir=path.parent, prefix=KEY_FILE_NAME)  # readable by its owner alone
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(4)}:{secrets.token_urlsafe(32)}\n")
            file.flush()
            os.fsync(handle)
        os.link(temporary_path, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(temporary_path)
