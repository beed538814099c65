"""Signed links: a grant as a token that nobody can alter, and back. HS256 and nothing else, whatever a token says."""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import time
from pathlib import Path

import jwt

from highlighter.embed.grant import Grant, as_claims, from_claims
from highlighter.errors import BadRequest, Forbidden, HighlighterError
from highlighter.locale import N_
from highlighter.secret import Secret

ALGORITHM = "HS256"
FILE = "link.key"
# What browsers, proxies and gunicorn (4,094 for the whole line of a request) take without a word.
LONGEST = 3_000
_TOKEN = re.compile(
    r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", re.ASCII
)  # no padding: a token is written one way


class Expired(HighlighterError):
    status, title = 410, N_("This link has expired")

    def __init__(self, grant: Grant) -> None:
        super().__init__("Links like this one are good for a short time. Ask for it again on the page it came from.")
        self.grant = grant  # what it was, as we signed it


class Altered(Forbidden):
    title = N_("This link is not one of ours")

    def __init__(self) -> None:
        super().__init__("It was cut short or changed on its way, or its key is no longer used. Ask for it again.")


class _Json(json.JSONEncoder):
    """Chinese as it is, in half the letters."""

    def __init__(self, **how):
        super().__init__(**{**how, "ensure_ascii": False})


class LinkKeys:
    """The first key signs; all of them are known, so that a new one can take over while old links run out."""

    def __init__(self, keys: tuple[tuple[str, Secret], ...]):
        self._signing, self._known = keys[0], dict(keys)

    def sign(self, grant: Grant) -> str:
        kid, secret = self._signing
        token = jwt.encode(as_claims(grant), secret.reveal(), ALGORITHM, headers={"kid": kid}, json_encoder=_Json)
        if len(token) > LONGEST:
            raise BadRequest("The question and the quote are too long to be put into a link together. Shorten them.")
        return token

    def read(self, token: str) -> Grant:
        """Raises Expired, or Altered for everything else that is not exactly as we signed it."""
        if len(token) > LONGEST or not _TOKEN.fullmatch(token):
            raise Altered
        try:
            secret = self._known[str(jwt.get_unverified_header(token).get("kid"))].reveal()
            # The time is looked at by ourselves: of a link that has expired we still know that it was ours.
            how = {"require": ["exp"], "verify_exp": False, "verify_iat": False}
            grant = from_claims(jwt.decode(token, secret, [ALGORITHM], options=how))
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError) as err:
            raise Altered from err
        if grant is None:
            raise Altered
        if grant.expires <= time.time():
            raise Expired(grant)
        return grant


def link_keys(given: tuple[tuple[str, Secret], ...], data_dir: Path) -> LinkKeys:
    """Those that the settings name; else one that is made once and kept where the documents are."""
    return LinkKeys(given or _kept(data_dir / FILE))


def _kept(path: Path) -> tuple[tuple[str, Secret]]:
    if not path.exists():
        _make(path)
    kid, _, secret = path.read_text(encoding="ascii").strip().partition(":")
    return ((kid, Secret(secret)),)


def _make(path: Path) -> None:
    """Whole or not at all, and the first wins: two services may start at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(dir=path.parent, prefix=FILE)  # readable by its owner alone
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
