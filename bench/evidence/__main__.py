"""python -m bench.evidence DATA: one table over the sets of DATA/dev, by method; nothing tuned on them."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.evidence import ablations, methods
from bench.evidence.figures import THRESHOLD, best_threshold, figures, lit_share
from bench.evidence.misses import print_misses
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import compute_similarities, load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset
from highlighter.evidence.scorer import EvidenceScorer


@dataclass(frozen=True, slots=True)
class Set:
    name: str
    judged: Sequence[JudgedPassage]
    similarities: Sequence[np.ndarray]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    parser.add_argument("data", type=Path, help="a folder with dev/ (and train/, for the rows without a part)")
    parser.add_argument("--model", default="", help="another embedder, by name")
    parser.add_argument("--quick", action="store_true", help="leave out the rows that are fitted again without a part")
    options = parser.parse_args()
    embedder = Embedder(options.model) if options.model else Embedder()
    sets = [_read(path, embedder) for path in sorted((options.data / "dev").glob("*.jsonl.gz"))]
    scorer = EvidenceScorer(load_calibration(embedder.name, Path("data/calibration")), JointScorer())
    table = {
        "cosine at 0.5": (methods.cosine, False),
        "cosine at each set's best": (methods.cosine, True),
        "BM25 at each set's best": (methods.words, True),
        "**ours**": (methods.ours(scorer), False),
        "ours without the joint model": (methods.without_joint(scorer), False),
    }
    if not options.quick:
        table |= {f"ours without {part}": (how, False) for part, how in ablations.without(options.data, embedder)}
    rows = {name: _row(sets, how, tuned) for name, (how, tuned) in table.items()}
    _print(sets, rows)
    print_misses(sets, methods.ours(scorer), THRESHOLD)
    return 0


def _read(path: Path, embedder: Embedder) -> Set:
    judged = [one for one in read_dataset(path) if one.sentences]
    return Set(path.name.removesuffix(".jsonl.gz"), judged, compute_similarities(judged, embedder))


def _row(sets: Sequence[Set], how: methods.Method, tuned: bool) -> dict:
    found, took = {}, []
    for one in sets:
        scores, gold = [], []
        for judged, similarities in zip(one.judged, one.similarities, strict=True):
            began = time.perf_counter()
            scores.append(how(judged.question, judged.sentences, similarities))
            took.append(time.perf_counter() - began)
            gold.append(np.array(judged.gold, dtype=bool))
        holding = [at for at, marks in enumerate(gold) if marks.any()]
        if not holding:
            found[one.name] = lit_share(scores)
            continue
        scores, gold = [scores[at] for at in holding], [gold[at] for at in holding]
        found[one.name] = figures(scores, gold, best_threshold(scores, gold) if tuned else THRESHOLD)
    return {"sets": found, "ms": float(np.median(took) * 1000)}


def _print(sets: Sequence[Set], rows: dict) -> None:
    print("| method | P@1 | MRR | average precision | F1 at 0.5 | no-evidence lit | calibration error | ms a passage |")
    print("|---|---|---|---|---|---|---|---|")
    for name, row in rows.items():
        held = [value for value in row["sets"].values() if not isinstance(value, float)]
        lit = [value for value in row["sets"].values() if isinstance(value, float)]
        mean = [np.mean([getattr(v, key) for v in held]) for key in ("p_at_1", "mrr", "average_precision", "f1")]
        error = np.mean([v.calibration_error for v in held])
        # A threshold chosen by a set that holds evidence says nothing of passages that hold none; BM25 is no probability.
        sure = "best" not in name
        told = [f"{np.mean(lit):.0%}", f"{error:.3f}"] if sure and lit else ["-", "-"]
        print(f"| {name} | {' | '.join([*(f'{m:.3f}' for m in mean), *told])} | {row['ms']:.1f} |")
    print("\nBy set: P@1, F1 (no-evidence sets: share lit)\n")
    names = [one.name for one in sets]
    print(f"| set | passages | {' | '.join(rows)} |\n|---|---|{'---|' * len(rows)}")
    for one, name in zip(sets, names, strict=True):
        cells = [_cell(row["sets"][name]) for row in rows.values()]
        print(f"| {name} | {len(one.judged)} | {' | '.join(cells)} |")


def _cell(value) -> str:
    return f"{value:.0%}" if isinstance(value, float) else f"{value.p_at_1:.3f} {value.f1:.3f}"


if __name__ == "__main__":
    sys.exit(main())
