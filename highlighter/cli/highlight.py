"""python -m highlighter highlight: the evidence lit in the terminal, or a whole file of passages at full speed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highlighter.cli.common import connect_remote, has_colors, print_usage_error
from highlighter.models import Evidence, ScoredSentence, Sentence
from highlighter.settings import HIGHLIGHT_METHODS

if TYPE_CHECKING:
    from highlighter.evidence.passage_highlighter import PassageRequest
    from highlighter.services import Services

SUMMARY = "highlight the evidence in a text, or in a file of passages"
EXAMPLES = """examples:
  python -m highlighter highlight --question "When does the ferry leave?" timetable.txt
  pdftotext contract.pdf - | python -m highlighter highlight --question "Who pays for delay?" -
  python -m highlighter highlight --question "Who?" --explain note.txt
  python -m highlighter highlight --question "Who?" --json note.txt
  python -m highlighter highlight --jsonl passages.jsonl --out lit.jsonl

With DASK_SCHEDULER=tcp://HOST:PORT a batch is computed by the workers of a Dask cluster.
A batch has a passage a line: {"id": 1, "question": "...", "context": "..."}
and its answer the same:      {"id": 1, "sentences": [{"start": 0, "end": 9, "score": 0.9, "highlighted": true}]}"""

# What surrounds a highlight: colour codes in a terminal, brackets in a file or a pipe.
TERMINAL_BRACKETS, TEXT_BRACKETS = ("\x1b[30;43m", "\x1b[0m"), ("⟦", "⟧")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a text file, or - for standard input")
    parser.add_argument("--question", help="what is asked")
    parser.add_argument("--jsonl", metavar="IN", help="a file of passages, or - for standard input")
    parser.add_argument("--out", metavar="OUT", default="-", help="where a batch is written (default: standard output)")
    parser.add_argument("--method", choices=HIGHLIGHT_METHODS, help="default: HIGHLIGHT_METHOD")
    parser.add_argument("--threshold", type=float, help="default: HIGHLIGHT_SIMILARITY_THRESHOLD")
    parser.add_argument("--explain", action="store_true", help="say why each sentence is highlighted")
    parser.add_argument("--json", action="store_true", help="every sentence with its numbers, as JSON")


def run(services: Services, options: argparse.Namespace) -> int:
    if (options.jsonl is None) == (options.file is None):
        return print_usage_error("Name a FILE (or -) with --question, or a batch with --jsonl.")
    if options.jsonl is not None:
        return _highlight_batch(services, options)
    if not (options.question or "").strip():
        return print_usage_error("--question is missing.")
    try:
        text = _read_text(options.file)
    except (OSError, UnicodeDecodeError) as err:
        return print_usage_error(
            f"{options.file} cannot be read as text: {err}. Add PDF and DOCX files with python -m ingest."
        )
    evidence = _find_evidence(services, options.question, text, options)
    print(
        _format_json(evidence, options.explain)
        if options.json
        else format_highlighted_text(text, evidence, has_colors())
    )
    if options.explain and not options.json:
        print(*_format_reasons(evidence), sep="\n")
    if evidence.degraded:
        print(evidence.degraded, file=sys.stderr)
        return 1
    return 0


def _find_evidence(services: Services, question: str, text: str, options: argparse.Namespace) -> Evidence:
    with connect_remote(services) as client:
        if client and text:
            answer = client.highlight(question, text, method=options.method or "", threshold=options.threshold)
            sentences = (
                ScoredSentence(
                    Sentence(item.index, item.start, item.end, item.text), item.similarity, item.score, item.highlighted
                )
                for item in answer.sentences
            )
            return Evidence(question, tuple(sentences), answer.threshold, answer.method, answer.degraded or "")
    return services.passage_highlighter.highlight_text(question, text, options.method or "", options.threshold)


def format_highlighted_text(text: str, evidence: Evidence, is_colored: bool) -> str:
    """Return the whole text, with each highlight between brackets or in colour."""
    before, after = TERMINAL_BRACKETS if is_colored else TEXT_BRACKETS
    pieces, offset = [], 0
    for scored in evidence.sentences:
        if scored.highlighted:
            start, end = scored.sentence.start, scored.sentence.end
            pieces += [text[offset:start], before, text[start:end], after]
            offset = end
    return "".join([*pieces, text[offset:]]).rstrip("\n")


def _highlight_batch(services: Services, options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from highlighter.evidence.passage_highlighter import highlight_passages

    try:
        passages = list(_parse_passages(options.jsonl))
    except (OSError, ValueError, KeyError) as err:
        return print_usage_error(f"{options.jsonl} is not a valid batch: {err}.")
    results: Iterator[tuple[PassageRequest, Evidence]]
    method = options.method or services.settings.highlight_method
    threshold = services.settings.highlight_threshold if options.threshold is None else options.threshold
    with nullcontext(sys.stdout) if options.out == "-" else Path(options.out).open("w", encoding="utf-8") as out:
        if services.cluster:
            from highlighter.cli.cluster_batches import Scoring, highlight_on_worker, map_on_cluster

            scoring = replace(Scoring.from_settings(services.settings), method=method, threshold=threshold)
            results = zip(
                passages, map_on_cluster(services.cluster, highlight_on_worker, scoring, passages), strict=True
            )
        else:
            results = highlight_passages(passages, services.embedder, services.evidence_scorer, method, threshold)
        for passage, evidence in tqdm(results, total=len(passages), unit="passage", disable=not sys.stderr.isatty()):
            line = {"id": passage.id, "sentences": [_sentence_to_json(scored) for scored in evidence.sentences]}
            print(json.dumps(line), file=out)
    return 0


def _parse_passages(name: str) -> Iterator[PassageRequest]:
    from highlighter.evidence.passage_highlighter import PassageRequest

    for number, line in enumerate(_read_text(name).split("\n"), 1):
        if line.strip():
            try:
                item = json.loads(line)
                yield PassageRequest(item["id"], str(item["question"]), str(item["context"]))
            except (ValueError, KeyError, TypeError) as err:
                raise ValueError(f"line {number} needs id, question and context ({err!r})") from err


def _read_text(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")


def _sentence_to_json(scored: ScoredSentence) -> dict[str, Any]:
    sentence = scored.sentence
    numbers = {"score": round(scored.score, 6), "highlighted": scored.highlighted}
    return {"start": sentence.start, "end": sentence.end, **numbers}


def _format_reasons(evidence: Evidence) -> Iterator[str]:
    from highlighter.evidence.explanations import explain_evidence

    for scored, explanation in zip(evidence.sentences, explain_evidence(evidence), strict=True):
        if scored.highlighted:
            shared = f"shares {', '.join(explanation.shared)}; " if explanation.shared else ""
            against = f" Against: {'; '.join(explanation.speaks_against)}." if explanation.speaks_against else ""
            yield f"\n{scored.score:.2f}  {scored.sentence.text}\n      {shared}{'; '.join(explanation.speaks_for)}.{against}"


def _format_json(evidence: Evidence, with_reasons: bool) -> str:
    from highlighter.evidence.explanations import explain_evidence

    reasons = explain_evidence(evidence) if with_reasons else [None] * len(evidence.sentences)
    sentences = [
        {
            **_sentence_to_json(scored),
            "index": scored.sentence.index,
            "text": scored.sentence.text,
            "similarity": scored.similarity,
            **({"because": asdict(explanation)} if explanation else {}),
        }
        for scored, explanation in zip(evidence.sentences, reasons, strict=True)
    ]
    settings = {"threshold": evidence.threshold, "method": evidence.method, "degraded": evidence.degraded or None}
    return json.dumps({"sentences": sentences, **settings}, ensure_ascii=False, indent=2)
