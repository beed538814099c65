"""The conversion of multilingual-e5-small: its packed weights, its vocabulary and the graph."""

import struct

import numpy as np
import pytest
from tokenizers import Tokenizer

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import BLOCK_SIZE, open_vocabulary
from training.encoder.packed_weights import HIDDEN_SIZE, MAGIC, read_packed_model
from training.encoder.vocabulary import SPECIAL_PIECES, choose_pieces, write_tokenizer

pytestmark = pytest.mark.integrations

PIECES = (*SPECIAL_PIECES, "▁", "▁the", "▁boat", "s", "船", "<", ">", "/")


def pack_four_bit(values):
    """Return the blocks of 4-bit weights that come closest to the values, and what they stand for."""
    packed, restored = b"", []
    for block in values.reshape(-1, BLOCK_SIZE):
        scale = np.float16(np.abs(block).max() / 7)
        weights = np.clip(np.round(block / np.float32(scale)) + 8, 0, 15).astype(np.uint8)
        low, high = weights[: BLOCK_SIZE // 2], weights[BLOCK_SIZE // 2 :]
        packed += scale.tobytes() + (low | high << 4).tobytes()
        restored.append((weights.astype(np.float32) - 8) * np.float32(scale))
    return packed, np.concatenate(restored).reshape(values.shape)


@pytest.fixture
def packed_file(tmp_path):
    """Return a small file in the format of the packed weights, and the weights in it."""
    rng = np.random.default_rng(0)
    word, restored_word = pack_four_bit(rng.normal(size=(len(PIECES), HIDDEN_SIZE)).astype(np.float32))
    query, restored_query = pack_four_bit(rng.normal(size=(HIDDEN_SIZE, HIDDEN_SIZE)).astype(np.float32))
    scale = rng.normal(size=HIDDEN_SIZE).astype(np.float32)
    tensors = [("emb.word", 1, word), ("l3.q.w", 1, query), ("emb.ln.w", 0, scale.tobytes())]
    text = "".join(PIECES).encode()
    ends = np.cumsum([0, *(len(piece.encode()) for piece in PIECES)])
    head = MAGIC + struct.pack("<I7ifi", 1, HIDDEN_SIZE, 12, 12, 1536, len(PIECES), 512, 2, 1e-12, BLOCK_SIZE)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(text))
    head += ends.astype("<u4").tobytes() + np.arange(len(PIECES), dtype="<f4").tobytes() + text
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", len(tensors))
    start = len(head) + sum(2 + len(name) + 21 for name, *_ in tensors)
    body = b""
    for name, kind, data in tensors:
        count = len(data) // 4 if kind == 0 else len(data) * BLOCK_SIZE // 18
        head += struct.pack("<H", len(name)) + name.encode()
        head += struct.pack("<BIQQ", kind, count, start + len(body), len(data))
        body += data
    path = tmp_path / "packed.bin"
    path.write_bytes(head + body)
    return path, restored_word, restored_query, scale


def test_packed_weights_are_read_by_the_names_of_a_bert_model(packed_file):
    path, word, query, scale = packed_file
    model = read_packed_model(path)
    assert model.pieces == PIECES
    assert np.array_equal(model.weights["encoder.layer.3.attention.self.query.weight"], query)
    assert np.array_equal(model.weights["embeddings.LayerNorm.weight"], scale)
    assert np.array_equal(model.table.look_up(np.array([[0, 5]])), word[[0, 5]][None])


def test_other_file_is_refused(tmp_path):
    (tmp_path / "other").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="not a file of packed weights"):
        read_packed_model(tmp_path / "other")


def test_likeliest_pieces_and_all_characters_are_chosen(monkeypatch):
    monkeypatch.setattr("training.encoder.vocabulary.LIKELIEST_PIECES", 1)
    pieces = (*SPECIAL_PIECES, "▁rare", "▁often", "▁a", "船", "▁seldom", "<mask>")
    scores = (0.0, 0.0, 0.0, 0.0, -9.0, -1.0, -8.0, -9.0, -9.0, 0.0)
    chosen = choose_pieces(pieces, scores)
    assert [pieces[index] for index in chosen] == [*SPECIAL_PIECES, "▁often", "▁a", "船"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the  boat", ["<s>", "▁the", "▁boat", "</s>"]),
        ("\x02the\u200bboats ", ["<s>", "▁the", "▁boat", "s", "</s>"]),
        ("船", ["<s>", "▁", "船", "</s>"]),
        ("", ["<s>", "</s>"]),
    ],
)
def test_tokenizer_splits_as_the_model_was_trained(tmp_path, text, tokens):
    write_tokenizer(PIECES, [-float(n) for n in range(len(PIECES))], tmp_path / "tokenizer.json")
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).encode(text).tokens == tokens


def test_carried_table_has_a_row_for_each_piece():
    vocabulary = open_vocabulary(MULTILINGUAL)
    count = vocabulary.tokenizer.get_vocab_size()
    assert (len(vocabulary.table.packed), len(vocabulary.table.scales)) == (count, count)
    vectors = vocabulary.look_up(np.array([0, count - 1]))
    assert vectors.shape == (2, HIDDEN_SIZE)
    assert np.isfinite(vectors).all()
    assert open_vocabulary(MULTILINGUAL) is vocabulary  # a second one would take another 110 MB
