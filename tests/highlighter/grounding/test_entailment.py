"""The entailment model as it is carried. How good it is, `make bench-claims` says; here it must read, and read alike."""

import hashlib

import pytest

from highlighter.errors import Unavailable
from highlighter.grounding.entailment import (
    MAX_TOKENS,
    MODEL_FILE,
    MODEL_SHA256,
    NOTHING_READ,
    Entailment,
    EntailmentModel,
    combine_readings,
    find_quoted,
)

LEASE = ("The tenant pays the landlord 900 euros a month.", "Dogs are not allowed.", "The lease ends on 31 March.")


@pytest.fixture(scope="module")
def model():
    return EntailmentModel()


def test_carried_file_is_the_one_that_the_card_names():
    sha256 = hashlib.sha256(MODEL_FILE.read_bytes()).hexdigest()
    assert sha256 == MODEL_SHA256
    assert sha256 in (MODEL_FILE.parent / "CARD.md").read_text(encoding="utf-8")


def test_each_sentence_has_a_probability_to_decide(model):
    read = model.read("The landlord receives 900 euros.", LEASE)
    assert 0 <= min(read.entailed, read.contradicted) <= max(read.entailed, read.contradicted) <= 1
    assert len(read.deciding) == len(LEASE)
    assert max(read.deciding) == read.deciding[0]


@pytest.mark.parametrize(
    ("claim", "contrary"),
    [
        ("Dogs are forbidden.", "Dogs are welcome."),
        ("Every month the tenant pays the landlord 900 euros.", "Every month the landlord pays the tenant 900 euros."),
        ("不准養狗。", "可以養狗。"),
        ("Der Mietvertrag endet am 31. März.", "Der Mietvertrag beginnt am 31. März."),
    ],
)  # fmt: skip
def test_claim_is_likelier_than_its_contrary(model, claim, contrary):
    assert model.read(claim, LEASE).entailed > model.read(contrary, LEASE).entailed


@pytest.mark.parametrize(
    ("together", "alone", "entailed"),
    [(0.9, 0.1, 0.5), (0.9, 0.9, 0.9), (0.99, 0.01, 0.5), (1.0, 0.0, 0.5), (0.0, 0.9, 0.00299), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)],
)  # fmt: skip
def test_two_readings_weigh_alike(together, alone, entailed):
    """One that is sure weighs more than one that is not."""
    for first, second in ((together, alone), (alone, together)):
        combined = combine_readings(Entailment(first, 0.95, (0.9, 0.2)), Entailment(second, 0.3, (0.8,)))
        assert combined == Entailment(pytest.approx(entailed, abs=1e-5), 0.3, (0.9, 0.2))


def test_long_input_is_cut(model):
    read = model.read("word " * 500, ["sentence " * 60] * 20)
    assert 0 < len(read.deciding) <= MAX_TOKENS // 60


@pytest.mark.parametrize(
    ("claim", "deciding"),
    [
        ("dogs are not  allowed", (0.0, 1.0, 0.0, 0.0)), ("Dogs are allowed.", None), ("Dogs are not allowed at night.", None), ("", None),
        # The first clause of a sentence, where nothing makes it open.
        ("The tenant keeps the garden.", (0.0, 0.0, 0.0, 1.0)), ("The tenant keeps the garden, and.", None), ("The tenant.", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("rest", "is_more"),
    [(", and the landlord keeps the roof.", True), (", or pays for it.", False), (", the landlord argued.", False), (", sofern er zahlt.", False)],
)  # fmt: skip
def test_claim_that_repeats_a_sentence_or_its_first_clause_is_quoted(claim, deciding, rest, is_more):
    quoted = find_quoted(claim, (*LEASE, f"2.1 The tenant keeps the garden{rest}"))
    if not is_more and deciding and deciding[-1]:
        deciding = None
    assert (quoted.deciding if quoted else None) == deciding


@pytest.mark.parametrize(
    ("claim", "sentence", "is_quoted"),
    [
        ("乙方在三十日内付清全部价款。", "乙方在三十日内付清全部价款，并承担运费。", True),
        ("Travel is reimbursed in full.", "Travel is reimbursed in full; meals are not.", True),
        ("Travel is reimbursed.", "Travel is reimbursed; meals are not.", False),  # too short
        ("乙方在三十日内付清全部价款。", "乙方在三十日内付清全部价款，但质保金除外。", False),
    ],
)  # fmt: skip
def test_first_clause_before_another_one_is_quoted(claim, sentence, is_quoted):
    assert (find_quoted(claim, [sentence]) is not None) == is_quoted


def test_nothing_read_entails_nothing():
    assert (NOTHING_READ.entailed, NOTHING_READ.contradicted) == (0, 0)


def test_missing_model_is_named(tmp_path):
    with pytest.raises(Unavailable, match="The model that reads claims cannot be loaded"):
        EntailmentModel(tmp_path / "none.onnx").read("It is.", LEASE)
