"""python -m training.on_gpu.unpack FILE --out model.pt: write weights that were trained on a GPU as the exports read them.

With --carried and --share, the mean of these weights and of those they began with: what a model knew before is lost less.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from training.entailment.export import read_exported
from training.joint_graph import read_graph
from training.on_gpu.packed_state import load_packed


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.on_gpu.unpack",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--carried", type=Path, help="the exported graph of the weights that training began with")
    parser.add_argument("--share", type=float, default=0.2, help="its share of the mean")
    options = parser.parse_args()
    state = load_packed(options.file)
    if options.carried is not None:
        state = mix(state, _read_carried(options.carried, is_joint="peak" in state), options.share)
    torch.save(state, options.out)
    return 0


def _read_carried(path: Path, *, is_joint: bool) -> dict[str, torch.Tensor]:
    if is_joint:
        return {name: torch.from_numpy(value.copy()) for name, value in read_graph(path).items()}
    return read_exported(path)


def mix(state: dict[str, torch.Tensor], carried: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """Return the weighted mean; what only the first has stays as it is."""
    return {
        name: (1 - share) * value + share * carried[name] if name in carried else value for name, value in state.items()
    }


if __name__ == "__main__":
    sys.exit(main())
