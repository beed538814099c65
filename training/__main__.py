"""python -m training DATA: makes what highlighter/evidence/model holds, from DATA/train, in three steps.

joint   fits the model that reads question and passage together, for --minutes (uses a GPU where there is one)
export  writes it as int8 ONNX
weigh   fits the calibration, on documents that the joint model never saw
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
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="where the unfinished is kept")
    parser.add_argument("--out", type=Path, default=MODEL_FOLDER, help="where what is shipped is written")
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--go-on", action="store_true", help="from the model.pt in the work folder, in another order")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    if "joint" in options.steps:
        _joint(options)
    if "export" in options.steps:
        from training.export import export

        shutil.copy(options.work / "tokenizer.json", options.out / "tokenizer.json")
        export(options.work / "model.pt", options.layers, options.out / "joint.onnx")
    if "weigh" in options.steps:
        from training.weigh import weigh

        weigh(options.data, options.out)
    return 0


def _joint(options: argparse.Namespace) -> None:
    from highlighter.evidence.judged_passages import read_datasets
    from training.lessons import lessons_of
    from training.model import JointModel
    from training.train import train
    from training.vocabulary import write_tokenizer

    judged = list(read_datasets(options.data / "train"))
    tokenizer = options.work / "tokenizer.json"
    size = write_tokenizer((text for one in judged for text in (one.question, *one.sentences)), tokenizer)
    lessons = lessons_of(judged, tokenizer)
    print(len(judged), "passages,", len(lessons), "lessons,", size, "pieces known", flush=True)
    model, order = JointModel(size, options.layers), 0
    if options.go_on:
        import torch

        model.load_state_dict(torch.load(options.work / "model.pt", weights_only=True))
        order = time.time_ns()
    train(model, lessons, options.minutes, options.work, order)


if __name__ == "__main__":
    sys.exit(main())
