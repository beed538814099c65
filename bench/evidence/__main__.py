"""python -m bench.evidence [DATA]: print questions across languages, and one table of the data sets in DATA/dev by method.

Nothing is tuned on the data sets.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.evidence import ablations, methods
from bench.evidence.across_languages import measure_across_languages
from bench.evidence.datasets import Dataset, read_embedded_dataset, read_measured_articles
from bench.evidence.language_questions import print_questions_across_languages
from bench.evidence.metrics import THRESHOLD, Figures, best_threshold, compute_figures, highlighted_share
from bench.evidence.misses import print_misses
from highlighter.embedding.embedder import ENGLISH_MODEL, Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.question_reader import QuestionReader
from highlighter.evidence.scorer import EvidenceScorer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    parser.add_argument(
        "data", type=Path, nargs="?", help="a folder with dev/ (and train/, for the rows without a part)"
    )
    parser.add_argument("--model", default="", help="another embedder, by name")
    parser.add_argument("--quick", action="store_true", help="leave out the rows that are fitted again without a part")
    options = parser.parse_args()
    print_questions_across_languages()
    if options.data is None:
        return 0
    embedder = Embedder(options.model) if options.model else Embedder()
    sets = [read_embedded_dataset(path, embedder) for path in sorted((options.data / "dev").glob("*.jsonl.gz"))]
    scorer = EvidenceScorer(
        load_calibration(embedder.name, Path("data/calibration")),
        JointScorer(),
        multilingual=embedder if embedder.bundled is not None and embedder.bundled.reads_every_script else None,
        reader=QuestionReader(),
    )
    table = {
        "cosine at 0.5": (methods.cosine, False),
        "cosine at each set's best": (methods.cosine, True),
        "BM25 at each set's best": (methods.bm25, True),
        "**Highlighter**": (methods.score_with(scorer), False),
        "Highlighter without the joint model": (methods.score_without_joint(scorer), False),
    }
    if not options.quick:
        table |= {
            f"Highlighter without {feature_group}": (method, False)
            for feature_group, method in ablations.score_without_groups(options.data, embedder)
        }
    rows = {name: _row(sets, method, is_tuned) for name, (method, is_tuned) in table.items()}
    _print_means(rows)
    print("\nBy set: P@1, F1 (no-evidence sets: share highlighted)\n")
    _print_by_set(sets, rows)
    if hard := read_measured_articles(options.data / "train", embedder):
        print(
            "\nQuestions of SQuAD 2.0, those without an answer written by people to look answerable, and not in the means\n"
        )
        _print_by_set(hard, {name: _row(hard, method, is_tuned) for name, (method, is_tuned) in table.items()})
    _print_across_languages(options.data / "dev", embedder, scorer)
    print_misses(sets, methods.score_with(scorer), THRESHOLD)
    return 0


def _row(sets: Sequence[Dataset], method: methods.Method, is_tuned: bool) -> dict[str, Any]:
    results: dict[str, Figures | float] = {}
    seconds = []
    for dataset in sets:
        scores, gold = [], []
        for judged, similarities in zip(dataset.judged, dataset.similarities, strict=True):
            start = time.perf_counter()
            scores.append(method(judged.question, judged.sentences, similarities))
            seconds.append(time.perf_counter() - start)
            gold.append(np.array(judged.gold, dtype=bool))
        with_evidence = [index for index, labels in enumerate(gold) if labels.any()]
        if not with_evidence:
            results[dataset.name] = highlighted_share(scores)
            continue
        scores, gold = [scores[index] for index in with_evidence], [gold[index] for index in with_evidence]
        results[dataset.name] = compute_figures(scores, gold, best_threshold(scores, gold) if is_tuned else THRESHOLD)
    return {"sets": results, "ms": float(np.median(seconds) * 1000)}


def _print_means(rows: dict[str, dict[str, Any]]) -> None:
    print(
        "| method | P@1 | MRR | average precision | F1 at 0.5 | no-evidence highlighted | calibration error | ms a passage |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, row in rows.items():
        figures = [value for value in row["sets"].values() if not isinstance(value, float)]
        highlighted_shares = [value for value in row["sets"].values() if isinstance(value, float)]
        mean = [np.mean([getattr(v, key) for v in figures]) for key in ("p_at_1", "mrr", "average_precision", "f1")]
        error = np.mean([v.calibration_error for v in figures])
        # A threshold tuned on passages with evidence says nothing about passages without; BM25 is no probability.
        has_threshold = "best" not in name
        cells_without_evidence = (
            [f"{np.mean(highlighted_shares):.0%}", f"{error:.3f}"]
            if has_threshold and highlighted_shares
            else ["-", "-"]
        )
        print(f"| {name} | {' | '.join([*(f'{m:.3f}' for m in mean), *cells_without_evidence])} | {row['ms']:.1f} |")


def _print_by_set(sets: Sequence[Dataset], rows: dict[str, dict[str, Any]]) -> None:
    names = [dataset.name for dataset in sets]
    print(f"| set | passages | {' | '.join(rows)} |\n|---|---|{'---|' * len(rows)}")
    for dataset, name in zip(sets, names, strict=True):
        cells = [_cell(row["sets"][name]) for row in rows.values()]
        print(f"| {name} | {len(dataset.judged)} | {' | '.join(cells)} |")


def _print_across_languages(folder: Path, embedder: Embedder, scorer: EvidenceScorer) -> None:
    english = Embedder(ENGLISH_MODEL)
    by_cosine = {figures.passages: figures for figures in measure_across_languages(folder, english, [methods.cosine])}
    print(
        "\nAcross languages: P@1 of the sentence by cosine, P@1 and F1 by Highlighter, MRR@10 of the passage; in brackets: MiniLM\n"
    )
    print("| question | passage | questions | P@1 by cosine | Highlighter | MRR@10 |\n|---|---|---|---|---|---|")
    for crossed in measure_across_languages(folder, embedder, [methods.cosine, methods.score_with(scorer)]):
        before = by_cosine[crossed.passages]
        cosine, highlighter = crossed.by_method
        print(
            f"| {crossed.questions} | {crossed.passages} | {crossed.count} | {cosine.p_at_1:.3f} "
            f"({before.by_method[0].p_at_1:.3f}) | {highlighter.p_at_1:.3f} {highlighter.f1:.3f} | {crossed.mrr:.3f} ({before.mrr:.3f}) |"
        )


def _cell(value: Figures | float) -> str:
    return f"{value:.0%}" if isinstance(value, float) else f"{value.p_at_1:.3f} {value.f1:.3f}"


if __name__ == "__main__":
    sys.exit(main())
