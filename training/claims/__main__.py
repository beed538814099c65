"""python -m training.claims DATA: fits what weighs claims (highlighter/grounding/model), from DATA/*.jsonl.gz.

One page in three is left out, whatever is claimed of it: python -m bench.answers measures on those.
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
    parser.add_argument("--out", type=Path, default=MODEL_FOLDER, help="where what is shipped is written")
    parser.add_argument("--most", type=int, default=2_500, help="claims read, besides those of wice")
    options = parser.parse_args()
    from tqdm import tqdm

    from highlighter.services import Services
    from training.claims.judged import WICE, read
    from training.claims.shown import shown
    from training.claims.weigh import weigh

    judged = [one for one in read(options.data) if not one.measured]
    wice, rest = ([one for one in judged if (one.set == WICE) == own] for own in (True, False))
    chosen = wice + random.Random(1).sample(rest, min(len(rest), options.most))
    services = Services.from_settings()
    with tqdm(total=len(chosen), unit="claim") as bar:
        read_all = shown(chosen, services.embedder, services.evidence_scorer, bar.update)
    weigh(read_all).save(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
