"""The batch of `check --jsonl`: answers with their sources, checked one after the other or on a Dask cluster."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from highlighter.access import get_visible_collections
from highlighter.cli.cluster_batches import Scoring, check_on_worker, map_on_cluster
from highlighter.cli.common import connect_remote, print_usage_error
from highlighter.errors import HighlighterError
from highlighter.grounding.cited_sources import check_answer
from highlighter.models import Source
from highlighter.schemas.checks import CheckedSource, CheckResponse
from highlighter.serializers.checks import build_sources, serialize_check
from highlighter.store.source_texts import load_source_texts

if TYPE_CHECKING:
    from highlighter.services import Services

_SOURCES = TypeAdapter(list[CheckedSource])


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """A line of a batch."""

    id: object
    answer: str
    sources: list[CheckedSource]


def run_check_batch(services: Services, name: str, out_name: str) -> int:
    """Check the answers of a file, write a line for each, and return the exit status."""
    from tqdm import tqdm

    try:
        answers = list(_parse_answers(name))
    except (OSError, ValueError) as err:
        return print_usage_error(f"{name} is not a valid batch: {err}.")
    all_grounded = True
    with nullcontext(sys.stdout) if out_name == "-" else Path(out_name).open("w", encoding="utf-8") as out:
        results = _check(services, answers)
        progress = tqdm(results, total=len(answers), unit="answer", disable=not sys.stderr.isatty())
        for checked, result in zip(answers, progress, strict=True):
            is_error = isinstance(result, HighlighterError)
            fields = {"error": result.detail} if is_error else result.model_dump(mode="json")
            print(json.dumps({"id": checked.id, **fields}), file=out)
            all_grounded &= not is_error and result.grounded is not False
    return 0 if all_grounded else 1


def _check(services: Services, answers: list[CheckedAnswer]) -> Iterator[CheckResponse | HighlighterError]:
    """Yield the check of each answer, or the error with which its sources cannot be read."""
    with connect_remote(services) as client:
        if client:
            for checked in answers:
                try:
                    yield client.check(checked.answer, [one.model_dump(exclude_none=True) for one in checked.sources])
                except HighlighterError as err:
                    yield err
            return
    loaded = [_load_sources(services, checked) for checked in answers]
    if services.cluster:
        items = [
            (one.answer, sources) for one, sources in zip(answers, loaded, strict=True) if isinstance(sources, list)
        ]
        results = map_on_cluster(services.cluster, check_on_worker, Scoring.from_settings(services.settings), items)
        yield from (next(results) if isinstance(sources, list) else sources for sources in loaded)
        return
    for checked, sources in zip(answers, loaded, strict=True):
        if isinstance(sources, list):
            yield serialize_check(check_answer(services.answer_checker, checked.answer, sources), sources)
        else:
            yield sources


def _load_sources(services: Services, checked: CheckedAnswer) -> list[Source] | HighlighterError:
    sources = build_sources(checked.sources)
    if not any(source.document_id for source in sources):
        return sources
    try:
        return load_source_texts(sources, services.catalog, get_visible_collections())
    except HighlighterError as err:
        return err


def _parse_answers(name: str) -> Iterator[CheckedAnswer]:
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                item = json.loads(line)
                yield CheckedAnswer(item["id"], str(item["answer"]), _SOURCES.validate_python(item["sources"]))
            except (ValidationError, ValueError, KeyError, TypeError) as err:
                reason = err.errors()[0]["msg"] if isinstance(err, ValidationError) else repr(err)
                raise ValueError(f"line {number} needs id, answer and sources ({reason})") from err
