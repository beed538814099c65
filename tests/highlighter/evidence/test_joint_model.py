import numpy as np
import pytest

from highlighter.evidence.joint_model import (
    MODEL_FOLDER,
    NO_MATCH,
    PARTIAL_MATCH,
    WHOLE_MATCH,
    JointTokenizer,
    choose_sentences,
)


@pytest.fixture(scope="module")
def reader():
    return JointTokenizer(MODEL_FOLDER / "tokenizer.json")


def found(reader, question, sentence):
    """The piece's word as found in the question, by the piece's own text."""
    _, (told,) = reader.tokenize_passage(question, [sentence])
    return [reader._tokenizer.id_to_token(at) for at in told.ids], told.matches.tolist()


def test_words_of_the_question_are_marked_in_the_sentence(reader):
    pieces, marks = found(reader, "When does the lease terminate?", "The leases end; termination is sad.")
    marked = dict(zip(pieces, marks, strict=True))
    assert marked["leases"] == WHOLE_MATCH
    assert marked["termination"] in (PARTIAL_MATCH, WHOLE_MATCH)
    assert marked["the"] == marked["end"] == NO_MATCH


def test_traditional_and_simplified_are_one(reader):
    _, marks = found(reader, "終止合約", "终止合约。")
    assert marks == [WHOLE_MATCH] * 4 + [NO_MATCH]


def test_characters_the_vocabulary_lacks_are_told_apart(reader):
    (one,), (other,) = (reader.tokenize_passage("?", [text])[1][0].ids for text in ("𠮷", "𡈽"))
    assert one != other
    assert reader.unknown_id not in (one, other)


def test_a_sheet_says_whose_each_piece_is(reader):
    asked, told = reader.tokenize_passage("Who pays?", ["The buyer pays.", "It rains.", "So be it."])
    sheet = reader.build_input(asked, told, [0, 2])
    assert len(sheet.ids) == len(sheet.kinds) == len(sheet.sentence_positions)
    assert sorted(set(sheet.sentence_positions.tolist())) == [-1, 0, 1]
    assert (sheet.sentence_positions == 1).sum() == len(told[2].ids) + 1


def test_a_passage_that_fits_is_read_whole_and_of_a_long_one_the_likeliest():
    assert choose_sentences(np.zeros(3), [10, 10, 10], 33) == [0, 1, 2]
    assert choose_sentences(np.array([0.0, 0.9, 0.0, 0.0, 0.8]), [10] * 5, 22) == [1, 4]
    assert choose_sentences(np.array([0.0, 0.9, 0.3, 0.0]), [10] * 4, 22) == [1, 2]
    assert choose_sentences(np.array([0.5]), [500], 300) == []
