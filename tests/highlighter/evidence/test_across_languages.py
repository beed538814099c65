"""Scores of sentences in another language than the question."""

import numpy as np
import pytest

from highlighter.evidence.across_languages import find_texts_in_other_languages, score_across_languages
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.explanations import explain_evidence
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.question_reader import QuestionReader
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.models import Sentence

GERMAN = ("Der Mieter zahlt die Miete bis zum dritten Werktag.", "Die Haltung von Hunden ist nicht erlaubt.")


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("When is the rent due?", GERMAN, True),
        ("Wann ist die Miete fällig?", GERMAN, False),
        ("NEC4 clause 61", GERMAN, False),  # of no language: it may be the words of the document
        ("廚師的薪水是多少？", ("厨师的工资按月发放。",), False),  # two scripts of one language
        ("廚師的薪水是多少？", ("The cook is paid monthly.",), True),
        ("When is the rent due?", ("1, 2, 3", "2025"), False),
    ],
)
def test_passage_in_another_language_is_known(question, texts, expected):
    assert find_texts_in_other_languages(question, texts).tolist() == [expected] * len(texts)


MIXED = (
    "The landlord sent this notice to all tenants.",
    "Die Kaution beträgt drei Monatsmieten und wird innerhalb von sechs Wochen nach dem Auszug zurückgezahlt.",
    "The tenants asked for a translation.",
)


def test_sentences_of_a_mixed_passage_are_each_in_their_language():
    assert find_texts_in_other_languages("When is the deposit paid back?", MIXED).tolist() == [False, True, False]
    assert find_texts_in_other_languages("Wann wird die Kaution gezahlt?", MIXED).tolist() == [True, False, True]


def test_similar_sentence_that_leads_is_highlighted_and_weak_ones_are_not():
    texts = ["One.", "Two.", "Three."]
    assert (score_across_languages(texts, np.array([0.2, 0.5, 0.25])) >= 0.5).tolist() == [False, True, False]
    assert (score_across_languages(texts, np.array([0.25, 0.27, 0.26])) < 0.5).all()


def test_heading_is_no_evidence_unless_nothing_has_a_stop():
    similarities = np.array([0.6, 0.5])
    assert score_across_languages(["收費", "成人二十八元。"], similarities).argmax() == 1
    assert score_across_languages(["收費", "成人二十八元"], similarities).argmax() == 0


@pytest.mark.parametrize("count", [1, 2])
def test_short_passages_have_finite_scores(embedder, count):
    texts = ["It is one."] * count
    for compare_words in (None, lambda rows: embedder.compare_tokens("Ist es eins?", [texts[row] for row in rows])):
        scores = score_across_languages(texts, np.full(count, 0.7), compare_words)
        assert np.isfinite(scores).all()
        assert (scores > 0.5).all()


def test_words_decide_between_sentences_that_are_similar_alike():
    texts, similarities = ["One.", "Two.", "Three."], np.array([0.4, 0.41, 0.4])
    assert score_across_languages(texts, similarities, np.array([0.8, 0.6, 0.6]).__getitem__).argmax() == 0


def test_question_reader_decides_between_sentences_that_are_similar_alike():
    texts, similarities = ("Er zahlt.", "Sie geht.", "Es regnet."), np.array([0.5, 0.5, 0.1])

    def score(margins):
        return score_across_languages(texts, similarities, lambda rows: np.full(len(rows), 0.4), np.array(margins))

    assert score([-4.0, 4.0, -4.0]).argmax() == 1
    assert score([4.0, -4.0, -4.0]).argmax() == 0
    assert score([-6.0, -6.0, -6.0]).max() < score([-6.0, 6.0, -6.0]).max()


def test_sentences_in_another_language_are_read_with_the_question(embedder, tmp_path):
    texts = ["Die Miete beträgt 900 Euro.", "Hunde sind im ganzen Haus verboten."]
    question = "Which animals are not allowed to live in the house with the tenants?"
    assert find_texts_in_other_languages(question, texts).all()
    similarities = embedder.encode(texts) @ embedder.encode_question(question)
    calibration = load_calibration(embedder.name, tmp_path)
    scores = {}
    for reader in (None, QuestionReader()):
        scorer = EvidenceScorer(calibration, JointScorer(), multilingual=embedder, reader=reader)
        scores[reader is not None] = scorer.rate_sentences(question, texts, similarities)
    assert not np.array_equal(scores[True], scores[False])
    assert scores[True].argmax() == 1


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Is there a garden?", "Zur Wohnung gehört ein Garten."),
        ("租客可以養狗嗎？", "Das Halten von Hunden bedarf der Zustimmung."),
        ("Сколько стоит билет?", "तीन साल से बड़े हर व्यक्ति के टिकट का दाम सौ रुपये है।"),
    ],
)
def test_words_are_nearer_to_their_translations_than_to_other_words(embedder, question, sentence):
    with_them, without_them = embedder.compare_tokens(question, [sentence, "Die Heizung wird im Herbst gewartet."])
    assert with_them > without_them + 0.05


def test_right_sentence_is_found_by_its_words_where_another_is_more_similar(embedder):
    texts = [
        "员工连续工作满一年后，每年享有十二天带薪年假。",
        "法定节假日加班按照工资的三倍支付加班费。",
        "周末加班优先安排调休，不能安排调休的，按照两倍支付。",
    ]
    question = "كم يدفع مقابل العمل في أيام العطل الرسمية؟"
    similarities = embedder.encode(texts) @ embedder.encode_question(question)
    assert score_across_languages(texts, similarities).argmax() == 0
    words = embedder.compare_tokens(question, texts)
    assert score_across_languages(texts, similarities, words.__getitem__).argmax() == 1


def test_sentences_in_another_language_are_scored_by_the_mapped_question(embedder, tmp_path):
    """The question's own vector is nearer to the sentence about money, the mapped one to that about who decides."""
    texts = (
        "Über die Aufnahme entscheidet die Leiterin gemeinsam mit dem Elternrat.",
        "Der Elternbeitrag richtet sich nach dem Einkommen und liegt zwischen 0 und 310 Euro im Monat.",
    )
    question = "من يقرّر قبول الأطفال؟"
    vectors, question_vector = embedder.encode(texts), embedder.encode_question(question)
    assert (vectors @ question_vector).argmax() == 1
    calibration = load_calibration("multilingual-e5-small-int8", tmp_path)
    scorer = EvidenceScorer(calibration, None, multilingual=embedder)
    sentences = [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(texts)]
    evidence = scorer.score(question, question_vector, sentences, vectors, "evidence", 0.5, quick=True)
    assert evidence.sentences[0].score > evidence.sentences[1].score


def test_claims_are_rated_by_the_networks_in_every_language(embedder, tmp_path):
    """To be similar to a sentence in another language supports no claim."""
    question = "When is the rent due?"
    vectors, question_vector = embedder.encode(GERMAN), embedder.encode_question(question)
    scores = []
    for multilingual in (None, embedder):
        calibration = load_calibration("multilingual-e5-small-int8", tmp_path)
        scorer = EvidenceScorer(calibration, None, multilingual=multilingual)
        sentences = [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(GERMAN)]
        evidence = scorer.score(question, question_vector, sentences, vectors, "evidence", 0.5)
        claims = scorer.probabilities(question, GERMAN, vectors @ question_vector)
        scores.append((evidence.sentences[0].score, claims[0]))
    (networks, claims_before), (crossed, claims_after) = scores
    assert crossed != networks
    assert claims_before == claims_after


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("When is the deposit paid back?", 1),
        ("Was wollten die Mieter haben?", 2),
        ("Who sent the notice?", 0),
        ("Wie hoch ist die Kaution?", 1),
    ],
)
def test_sentence_of_a_mixed_passage_is_highlighted_and_explained_in_either_language(
    embedder, tmp_path, question, right
):
    calibration = load_calibration("multilingual-e5-small-int8", tmp_path)
    scorer = EvidenceScorer(calibration, JointScorer(), multilingual=embedder)
    sentences = [Sentence(n, n * 200, n * 200 + len(text), text) for n, text in enumerate(MIXED)]
    vectors = embedder.encode(MIXED)
    evidence = scorer.score(question, embedder.encode_question(question), sentences, vectors, "evidence", 0.5)
    assert max(evidence.sentences, key=lambda scored: scored.score).sentence.index == right
    assert evidence.sentences[right].highlighted
    says_other = ["another language" in str(shown.speaks_for) for shown in explain_evidence(evidence)]
    assert says_other == find_texts_in_other_languages(question, MIXED).tolist()
