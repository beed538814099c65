"""python -m bench.claims DATA: which claims get a tick, by set, language and kind. Nothing is fitted on what it measures.

DATA holds entailment/dev and grounding/; our own lessons come with the repository, and every tenth is only measured.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.evidence.metrics import binned_calibration_error
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.text.terms import extract_terms, is_cjk
from training.claims.judged_claims import read_judged_claims
from training.entailment.judged_pairs import ENTAILED, JudgedPair, read_dataset, read_lessons
from training.lesson_purposes import MEASURED

MAX_CLAIMS_PER_SET = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """A judged claim with what the checker says of it."""

    pair: JudgedPair
    is_ticked: bool
    score: float
    overlap: float  # the share of the claim's words that the text contains
    seconds: float  # of CPU

    @property
    def is_true(self) -> bool:
        return self.pair.label == ENTAILED


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.claims", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?", help="without it, our own lessons alone are measured")
    parser.add_argument("--misses", type=int, default=0, help="print so many wrong verdicts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        services = Services(Settings(data_dir=Path(folder)))
        try:
            lessons = list(_check(read_lessons(purpose=MEASURED), services))
            _print_lessons(lessons)
            if options.data:
                _print_sets(options.data, services)
            _print_misses(lessons, options.misses)
        finally:
            services.close()
    return 0


def _check(pairs: Iterable[JudgedPair], services: Services) -> Iterator[Outcome]:
    """Yield what the checker says of each claim, given its text as a source."""
    for pair in pairs:
        separator = "" if is_cjk(pair.sentences[0][:1]) else " "
        began = time.process_time()
        index = services.answer_checker.index_texts([separator.join(pair.sentences)])
        (claim,) = services.answer_checker.judge_claims([ClaimSentence(pair.claim, 0, len(pair.claim))], index)
        seconds = time.process_time() - began
        yield Outcome(pair, claim.verdict == SUPPORTED, claim.score, _compute_overlap(pair), seconds)


def _compute_overlap(pair: JudgedPair) -> float:
    wanted = set(extract_terms(pair.claim))
    return len(wanted & set(extract_terms(" ".join(pair.sentences)))) / max(len(wanted), 1)


_HEAD = (
    "claims | false ticked | true ticked | balanced accuracy | AUC | AUC of word overlap | calibration error | ms of CPU |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def _print_lessons(outcomes: Sequence[Outcome]) -> None:
    print(f"| our own lessons, measured part | {_HEAD}")
    print(_row("**all**", outcomes))
    for name, is_chosen in _LANGUAGES.items():
        print(_row(name, [outcome for outcome in outcomes if is_chosen(outcome.pair)]))
    for kind in sorted({outcome.pair.kind for outcome in outcomes}):
        print(_row(kind.replace("_", " "), [outcome for outcome in outcomes if outcome.pair.kind == kind]))


_LANGUAGES: dict[str, Callable[[JudgedPair], bool]] = {
    "English": lambda pair: pair.language == pair.claim_language == "en",
    "Chinese": lambda pair: pair.language[:2] == pair.claim_language[:2] == "zh",
    "other languages": lambda pair: pair.language == pair.claim_language and pair.language[:2] not in ("en", "zh"),
    "claim in another language": lambda pair: pair.language[:2] != pair.claim_language[:2],
}


def _print_sets(data: Path, services: Services) -> None:
    print(f"\n| published sets | {_HEAD}")
    everything: list[Outcome] = []
    for path in sorted((data / "entailment" / "dev").glob("*.jsonl.gz")):
        outcomes = list(_check(_sample(list(read_dataset(path))), services))
        everything += outcomes
        print(_row(path.name.removesuffix(".jsonl.gz"), outcomes), flush=True)
    print(_row("**all of these**", everything))
    judged = [claim for claim in read_judged_claims(data / "grounding") if claim.measured]
    for name in sorted({claim.set for claim in judged}):
        pairs = [
            JudgedPair(
                name, claim.kind, claim.text, (claim.context,), ENTAILED if claim.holds else "", None, "en", "en"
            )
            for claim in judged
            if claim.set == name
        ]
        print(_row(f"{name} (whole pages)", list(_check(_sample(pairs), services))), flush=True)


def _sample(pairs: list[JudgedPair]) -> list[JudgedPair]:
    return random.Random(2).sample(pairs, min(len(pairs), MAX_CLAIMS_PER_SET))


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    is_true = np.array([outcome.is_true for outcome in outcomes], dtype=bool)
    is_ticked = np.array([outcome.is_ticked for outcome in outcomes], dtype=bool)
    scores = np.array([outcome.score for outcome in outcomes])
    overlap = np.array([outcome.overlap for outcome in outcomes])
    both = bool(is_true.any() and (~is_true).any())
    cells = [
        str(len(outcomes)),
        f"{is_ticked[~is_true].mean():.0%}" if (~is_true).any() else "-",
        f"{is_ticked[is_true].mean():.0%}" if is_true.any() else "-",
        f"{balanced_accuracy(is_true, is_ticked):.3f}" if both else "-",
        f"{area_under_curve(is_true, scores):.3f}" if both else "-",
        f"{area_under_curve(is_true, overlap):.3f}" if both else "-",
        f"{binned_calibration_error(scores, is_true):.3f}" if both else "-",
        f"{np.mean([outcome.seconds for outcome in outcomes]) * 1000:.0f}" if outcomes else "-",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def balanced_accuracy(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Return the mean of the accuracies on true and on false claims: 0.5 is chance."""
    return float((predicted[gold].mean() + (~predicted[~gold]).mean()) / 2)


def area_under_curve(gold: np.ndarray, scores: np.ndarray) -> float:
    """Return the probability that a true claim scores higher than a false one: 0.5 is chance."""
    true, false = scores[gold][:, None], scores[~gold][None, :]
    return float((true > false).mean() + 0.5 * (true == false).mean())


def _print_misses(outcomes: Sequence[Outcome], count: int) -> None:
    wrong = [outcome for outcome in outcomes if outcome.is_ticked != outcome.is_true]
    for outcome in random.Random(0).sample(wrong, min(count, len(wrong))):
        pair = outcome.pair
        print(f"\n{'TICKED' if outcome.is_ticked else 'MISSED'} {pair.kind} {outcome.score:.2f}  {pair.claim}")
        print("   ", " ".join(pair.sentences))


if __name__ == "__main__":
    sys.exit(main())
