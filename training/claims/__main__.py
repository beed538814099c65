"""python -m training.claims DATA: fit the claim models (highlighter/grounding/model) on DATA/*.jsonl.gz.

One page in three is left out with all its claims: python -m bench.answers measures on those.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from highlighter.grounding.judge import MODEL_FOLDER


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.claims", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="a folder with wice_tokens.jsonl.gz and fm2_claims.jsonl.gz")
    parser.add_argument("--out", type=Path, default=MODEL_FOLDER, help="where the models are written")
    parser.add_argument("--most", type=int, default=2_500, help="number of claims, besides those of wice")
    options = parser.parse_args()
    from tqdm import tqdm

    from highlighter.services import Services
    from training.claims.claim_models import fit_claim_models
    from training.claims.claim_readings import build_claim_examples
    from training.claims.judged_claims import WICE, read_judged_claims

    judged = [claim for claim in read_judged_claims(options.data) if not claim.measured]
    wice, rest = ([claim for claim in judged if (claim.set == WICE) == is_wice] for is_wice in (True, False))
    selected = wice + random.Random(1).sample(rest, min(len(rest), options.most))
    services = Services.from_settings()
    with tqdm(total=len(selected), unit="claim") as bar:
        examples = build_claim_examples(selected, services.embedder, services.evidence_scorer, bar.update)
    fit_claim_models(examples).save(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
