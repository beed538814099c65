"""The input of the joint model: matched tokens and the choice of sentences."""

import numpy as np
import pytest

from highlighter.evidence.joint_model import (
    MAX_UNLIKELY_TOKENS,
    MODEL_FOLDER,
    NO_MATCH,
    PARTIAL_MATCH,
    WHOLE_MATCH,
    JointTokenizer,
    MatchedTokens,
    choose_sentences,
    cut_unlikely_sentences,
)


@pytest.fixture(scope="module")
def tokenizer():
    return JointTokenizer(MODEL_FOLDER / "tokenizer.json")


def match_tokens(tokenizer, question, sentence):
    """Return the tokens of a sentence and how each one's word matches in the question."""
    _, (tokens,) = tokenizer.tokenize_passage(question, [sentence])
    return [tokenizer._tokenizer.id_to_token(token_id) for token_id in tokens.ids], tokens.matches.tolist()


def test_tokens_of_words_in_the_question_are_matched(tokenizer):
    tokens, matches = match_tokens(tokenizer, "When does the lease terminate?", "The leases end; termination is sad.")
    match_of_token = dict(zip(tokens, matches, strict=True))
    assert match_of_token["leases"] == WHOLE_MATCH
    assert match_of_token["termination"] in (PARTIAL_MATCH, WHOLE_MATCH)
    assert match_of_token["the"] == match_of_token["end"] == NO_MATCH


def test_traditional_and_simplified_characters_match(tokenizer):
    _, matches = match_tokens(tokenizer, "終止合約", "终止合约。")
    assert matches == [WHOLE_MATCH] * 4 + [NO_MATCH]


def test_characters_outside_the_vocabulary_get_different_ids(tokenizer):
    (first,), (second,) = (tokenizer.tokenize_passage("?", [text])[1][0].ids for text in ("𠮷", "𡈽"))
    assert first != second
    assert tokenizer.unknown_id not in (first, second)


def test_joint_input_has_the_sentence_of_each_token(tokenizer):
    question_tokens, sentence_tokens = tokenizer.tokenize_passage(
        "Who pays?", ["The buyer pays.", "It rains.", "So be it."]
    )
    joint_input = tokenizer.build_input(question_tokens, sentence_tokens, [0, 2])
    assert len(joint_input.ids) == len(joint_input.kinds) == len(joint_input.sentence_positions)
    assert sorted(set(joint_input.sentence_positions.tolist())) == [-1, 0, 1]
    assert (joint_input.sentence_positions == 1).sum() == len(sentence_tokens[2].ids) + 1


def test_whole_passage_is_chosen_if_it_fits_else_its_likeliest_sentences():
    assert choose_sentences(np.zeros(3), [10, 10, 10], 33) == [0, 1, 2]
    assert choose_sentences(np.array([0.0, 0.9, 0.0, 0.0, 0.8]), [10] * 5, 22) == [1, 4]
    assert choose_sentences(np.array([0.0, 0.9, 0.3, 0.0]), [10] * 4, 22) == [1, 2]
    assert choose_sentences(np.array([0.5]), [500], 300) == []


def test_only_the_beginning_of_unlikely_sentences_is_read_but_those_beside_likely_ones_whole():
    sentences = [MatchedTokens(np.arange(40), np.arange(40) % 3) for _ in range(4)]
    cut = cut_unlikely_sentences(sentences, np.array([0.9, 0.0, 0.02, 0.01]))
    assert [len(tokens.ids) for tokens in cut] == [40, 40, MAX_UNLIKELY_TOKENS, MAX_UNLIKELY_TOKENS]
    assert cut[2].ids.tolist() == list(range(MAX_UNLIKELY_TOKENS))
    assert cut[2].matches.tolist() == sentences[2].matches[:MAX_UNLIKELY_TOKENS].tolist()
