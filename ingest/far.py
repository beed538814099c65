"""Files handed in to a service elsewhere (HIGHLIGHTER_URL), which reads them; here one waits for what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

from highlighter.access import DEFAULT_COLLECTION
from highlighter.api.document_schemas import DocumentOut
from highlighter.client import ApiError, Client
from highlighter.errors import Unreadable
from highlighter.models import FAILED, READY
from highlighter.settings import Settings
from ingest.named import NamedFiles


def hand_in(named: NamedFiles, settings: Settings, collection: str, as_json: bool) -> int:
    """0: every file is ready."""
    # A key may be bound to another one: where files go that name none, the service knows.
    collection = "" if collection == DEFAULT_COLLECTION else collection
    ready = 0
    for path, err in named.unsupported.items():
        print(_as_json(path, err) if as_json else _words(path, err), flush=True)
    with Client.from_settings(settings) as client:
        handed_in = [
            (path, _tried(lambda path=path: client.upload(path, collection=collection))) for path in named.to_read
        ]
        for path, begun in handed_in:
            ended = begun
            if isinstance(begun, DocumentOut):
                ended = _tried(lambda begun=begun: client.wait(begun.document_id))
            print(_as_json(path, ended) if as_json else _words(path, ended), flush=True)
            ready += isinstance(ended, DocumentOut) and ended.state == READY
    if not as_json:
        unsupported = f"; {len(named.unsupported)} unsupported" if named.unsupported else ""
        print(f"{ready} of {len(named.paths)} ready{unsupported}")
    return 0 if ready == len(named.paths) else 1


def _tried(work) -> DocumentOut | str:
    """Or a sentence: the other files go on."""
    try:
        return work()
    except ApiError as err:
        return err.detail
    except OSError as err:
        return f"It cannot be read here: {err.strerror}."


def _words(path: Path, ended: DocumentOut | Unreadable | str) -> str:
    if isinstance(ended, Unreadable):
        return f"{path.name}: {ended.state}. {ended.detail}"
    if isinstance(ended, str):
        return f"{path.name}: {FAILED}. {ended}"
    counts = f"{ended.pages} pages, {ended.chunks} chunks, {ended.sentences} sentences"
    return f"{path.name}: {ended.state}, {counts}  {ended.document_id}" + (
        f"\n    {ended.reason}" if ended.reason else ""
    )


def _as_json(path: Path, ended: DocumentOut | Unreadable | str) -> str:
    if isinstance(ended, Unreadable):
        return json.dumps({"path": str(path), "document_id": None, "state": ended.state, "reason": ended.detail})
    if isinstance(ended, str):
        return json.dumps({"path": str(path), "document_id": None, "state": FAILED, "reason": ended})
    kept = ended.model_dump(include={"document_id", "state", "pages", "chunks", "sentences", "reason", "version"})
    return json.dumps({"path": str(path), **kept})
