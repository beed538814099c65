"""Files handed in to a service elsewhere (HIGHLIGHTER_URL), which reads them; here one waits for what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

from highlighter.access import DEFAULT_COLLECTION
from highlighter.client import ApiError, Client
from highlighter.errors import UnreadableFile
from highlighter.models import FAILED, READY
from highlighter.schemas.documents import DocumentOut
from highlighter.settings import Settings
from ingest.input_files import InputFiles


def upload_files(input_files: InputFiles, settings: Settings, collection: str, as_json: bool) -> int:
    """0: every file is ready."""
    # A key may be bound to another one: where files go that name none, the service knows.
    collection = "" if collection == DEFAULT_COLLECTION else collection
    ready = 0
    for path, err in input_files.unsupported.items():
        print(_outcome_to_json(path, err) if as_json else _format_outcome(path, err), flush=True)
    with Client.from_settings(settings) as client:
        handed_in = [
            (path, _call_or_error(lambda path=path: client.upload(path, collection=collection)))
            for path in input_files.to_read
        ]
        for path, begun in handed_in:
            ended = begun
            if isinstance(begun, DocumentOut):
                ended = _call_or_error(lambda begun=begun: client.wait(begun.document_id))
            print(_outcome_to_json(path, ended) if as_json else _format_outcome(path, ended), flush=True)
            ready += isinstance(ended, DocumentOut) and ended.state == READY
    if not as_json:
        unsupported = f"; {len(input_files.unsupported)} unsupported" if input_files.unsupported else ""
        print(f"{ready} of {len(input_files.paths)} ready{unsupported}")
    return 0 if ready == len(input_files.paths) else 1


def _call_or_error(work) -> DocumentOut | str:
    """Or a sentence: the other files go on."""
    try:
        return work()
    except ApiError as err:
        return err.detail
    except OSError as err:
        return f"The file cannot be read here: {err.strerror}."


def _format_outcome(path: Path, ended: DocumentOut | UnreadableFile | str) -> str:
    if isinstance(ended, UnreadableFile):
        return f"{path.name}: {ended.state}. {ended.detail}"
    if isinstance(ended, str):
        return f"{path.name}: {FAILED}. {ended}"
    counts = f"{ended.pages} pages, {ended.chunks} chunks, {ended.sentences} sentences"
    return f"{path.name}: {ended.state}, {counts}  {ended.document_id}" + (
        f"\n    {ended.reason}" if ended.reason else ""
    )


def _outcome_to_json(path: Path, ended: DocumentOut | UnreadableFile | str) -> str:
    if isinstance(ended, UnreadableFile):
        return json.dumps({"path": str(path), "document_id": None, "state": ended.state, "reason": ended.detail})
    if isinstance(ended, str):
        return json.dumps({"path": str(path), "document_id": None, "state": FAILED, "reason": ended})
    kept = ended.model_dump(include={"document_id", "state", "pages", "chunks", "sentences", "reason", "version"})
    return json.dumps({"path": str(path), **kept})
