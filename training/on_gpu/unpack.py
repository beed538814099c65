"""python -m training.on_gpu.unpack FILE --out model.pt: write weights that were trained on a GPU as the exports read them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from training.on_gpu.packed_state import load_packed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.on_gpu.unpack", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.save(load_packed(options.file), options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
