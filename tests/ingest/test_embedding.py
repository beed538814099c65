from highlighter.models import Sentence
from ingest.embedding import split_long_sentences


def test_a_sentence_longer_than_the_embedder_limit_is_split(embedder):
    text = (
        "The contractor shall, " + ", ".join(f"in the case of berth number {n}, keep it clear" for n in range(80)) + "."
    )
    before, after = Sentence(0, 0, 5, "Hello"), Sentence(2, 7 + len(text), 10 + len(text), "Bye")
    pieces = split_long_sentences(((0, before), (0, Sentence(1, 6, 6 + len(text), text)), (1, after)), embedder)
    assert [sentence.index for _, sentence in pieces] == list(range(len(pieces)))
    assert pieces[0] == (0, before)
    assert pieces[-1][0] == 1
    middle = [sentence for _, sentence in pieces[1:-1]]
    assert len(middle) > 1
    assert all(embedder.count_tokens([sentence.text])[0] <= embedder.max_tokens for sentence in middle)
    assert all(text[s.start - 6 : s.end - 6] == s.text for s in middle)
    assert "".join("".join(s.text for s in middle).split()) == "".join(text.split())


def test_chinese_sentence_without_spaces_is_split(embedder):
    text = "避風塘改善工程" * 120
    pieces = split_long_sentences(((0, Sentence(0, 0, len(text), text)),), embedder)
    assert "".join(sentence.text for _, sentence in pieces) == text
    assert all(embedder.count_tokens([sentence.text])[0] <= embedder.max_tokens for _, sentence in pieces)


def test_short_sentences_need_no_model():
    sentences = tuple((0, Sentence(n, n * 10, n * 10 + 4, "Word")) for n in range(5))
    assert split_long_sentences(sentences, None) == sentences
