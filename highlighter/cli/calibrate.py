"""python -m highlighter calibrate: fit the scores to the embedding model in use, on passages that people have judged."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.cli.common import print_usage_error

if TYPE_CHECKING:
    from highlighter.services import Services

SUMMARY = "fit the scores to the embedding model in use"
EXAMPLES = """examples:
  EMBEDDING_MODEL=/srv/models/multilingual python -m highlighter calibrate --data judged/

judged/ holds .jsonl or .jsonl.gz files, a passage a line, "spans" being what in it answers (none: nothing does):
  {"question": "Who pays?", "context": "The buyer pays. It rains.", "spans": [[0, 15]]}"""

# A calibration on fewer passages is not reliable.
MIN_JUDGED_PASSAGES = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="judged passages")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from highlighter.evidence.calibration import build_examples, calibration_folder, fit_calibration
    from highlighter.evidence.joint_model import JointScorer
    from highlighter.evidence.judged_passages import read_datasets

    try:
        judged = [passage for passage in read_datasets(options.data) if passage.sentences]
    except (OSError, ValueError) as err:
        return print_usage_error(f"{options.data} cannot be used: {err}.")
    if len(judged) < MIN_JUDGED_PASSAGES:
        return print_usage_error(
            f"{options.data} holds {len(judged)} judged passages; {MIN_JUDGED_PASSAGES} are the least that can be fitted to."
        )
    model = services.embedder.name
    with tqdm(total=2 * len(judged), unit="passage", desc="reading", disable=None) as bar:
        examples = build_examples(judged, services.embedder, lambda _: 1.0, bar.update)
        calibration = fit_calibration(examples, JointScorer(), bar.update)
    folder = calibration_folder(model, services.settings.data_dir / "calibration")
    calibration.save(folder)
    print(
        json.dumps({"model": model, "passages": len(judged), "folder": str(folder)}, ensure_ascii=False)
        if options.json
        else f"Scores are calibrated for {model} on {len(judged)} passages: {folder}. A service takes it up at its next start."
    )
    return 0
