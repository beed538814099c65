"""python -m training DATA: train the models in highlighter/evidence/model on DATA/train, in three steps.

joint   train the model that reads question and passage together, for --minutes (on a GPU where there is one)
export  write it as int8 ONNX
weigh   fit the calibrations of the carried embedders, on documents that the joint model never saw
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from highlighter.evidence.joint_model import MODEL_FOLDER

STEPS = ("joint", "export", "weigh")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="a folder with train/*.jsonl.gz")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="where unfinished files are stored")
    parser.add_argument("--out", type=Path, default=MODEL_FOLDER, help="where the finished models are written")
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument(
        "--go-on", action="store_true", help="continue from the model.pt in the work folder, in another order"
    )
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    if "joint" in options.steps:
        _train_joint_model(options)
    if "export" in options.steps:
        from training.onnx_export import export

        shutil.copy(options.work / "tokenizer.json", options.out / "tokenizer.json")
        export(options.work / "model.pt", options.layers, options.out / "joint.onnx")
    if "weigh" in options.steps:
        from highlighter.embedding.bundled_model import BUNDLED_MODELS
        from highlighter.embedding.embedder import Embedder
        from training.calibration import fit_bundled_calibration

        for name in BUNDLED_MODELS:
            fit_bundled_calibration(options.data, options.out, Embedder(name))
    return 0


def _train_joint_model(options: argparse.Namespace) -> None:
    from highlighter.evidence.judged_passages import read_datasets
    from training.example_selection import build_training_examples
    from training.model import JointModel
    from training.tokenizer import write_tokenizer
    from training.training_loop import train

    passages = list(read_datasets(options.data / "train"))
    tokenizer = options.work / "tokenizer.json"
    vocabulary_size = write_tokenizer(
        (text for passage in passages for text in (passage.question, *passage.sentences)), tokenizer
    )
    examples = build_training_examples(passages, tokenizer)
    print(len(passages), "passages,", len(examples), "examples,", vocabulary_size, "tokens", flush=True)
    model, seed = JointModel(vocabulary_size, options.layers), 0
    if options.go_on:
        import torch

        model.load_state_dict(torch.load(options.work / "model.pt", weights_only=True))
        seed = time.time_ns()
    train(model, examples, options.minutes, options.work, seed)


if __name__ == "__main__":
    sys.exit(main())
