"""Upload files to a remote service (HIGHLIGHTER_URL) and wait until it has processed them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from highlighter.access import DEFAULT_COLLECTION
from highlighter.client import ApiError, Client
from highlighter.errors import UnreadableFile
from highlighter.models import FAILED, READY
from highlighter.schemas.documents import DocumentOut
from highlighter.settings import Settings
from ingest.input_files import InputFiles


def upload_files(
    input_files: InputFiles[Path], settings: Settings, collection: str, metadata: dict[str, str], as_json: bool
) -> int:
    """Upload the files, print the outcome of each and return the exit status: 0 when every file is ready."""
    # The key may be bound to another collection: without a name, the service chooses.
    collection = "" if collection == DEFAULT_COLLECTION else collection
    ready = 0
    for path, err in input_files.unsupported.items():
        print(_outcome_to_json(path, err) if as_json else _format_outcome(path, err), flush=True)
    with Client.from_settings(settings) as client:
        upload = partial(client.upload, collection=collection, metadata=metadata)
        uploads = [(path, _call_or_error(partial(upload, path))) for path in input_files.to_read]
        for path, outcome in uploads:
            if isinstance(outcome, DocumentOut):
                outcome = _call_or_error(partial(client.wait, outcome.document_id))
            print(_outcome_to_json(path, outcome) if as_json else _format_outcome(path, outcome), flush=True)
            ready += isinstance(outcome, DocumentOut) and outcome.state == READY
    if not as_json:
        unsupported = f"; {len(input_files.unsupported)} unsupported" if input_files.unsupported else ""
        print(f"{ready} of {len(input_files.paths)} ready{unsupported}")
    return 0 if ready == len(input_files.paths) else 1


def _call_or_error(call: Callable[[], DocumentOut]) -> DocumentOut | str:
    """Return the document, or an error message, so that the other files go on."""
    try:
        return call()
    except ApiError as err:
        return err.detail
    except OSError as err:
        return f"The file cannot be read here: {err.strerror}."


def _format_outcome(path: Path, outcome: DocumentOut | UnreadableFile | str) -> str:
    if isinstance(outcome, UnreadableFile):
        return f"{path.name}: {outcome.state}. {outcome.detail}"
    if isinstance(outcome, str):
        return f"{path.name}: {FAILED}. {outcome}"
    counts = f"{outcome.pages} pages, {outcome.chunks} chunks, {outcome.sentences} sentences"
    return f"{path.name}: {outcome.state}, {counts}  {outcome.document_id}" + (
        f"\n    {outcome.reason}" if outcome.reason else ""
    )


def _outcome_to_json(path: Path, outcome: DocumentOut | UnreadableFile | str) -> str:
    if isinstance(outcome, UnreadableFile):
        return json.dumps({"path": str(path), "document_id": None, "state": outcome.state, "reason": outcome.detail})
    if isinstance(outcome, str):
        return json.dumps({"path": str(path), "document_id": None, "state": FAILED, "reason": outcome})
    fields = outcome.model_dump(include={"document_id", "state", "pages", "chunks", "sentences", "reason", "version"})
    return json.dumps({"path": str(path), **fields})
