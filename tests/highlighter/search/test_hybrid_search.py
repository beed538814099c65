"""Tests of search with the real model, database and index."""

from __future__ import annotations

import subprocess
import sys

import pytest

from highlighter.access import VisibleCollections
from highlighter.embedding.embedder import WARM, Embedder
from highlighter.evidence.question_reader import QuestionReader
from highlighter.models import FAILED
from highlighter.search import MIN_SCORE, hybrid_search
from highlighter.search.hybrid_search import NO_MODEL_NOTE, HybridSearch
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.folder_index import FolderIndex


def list_questions(listing):
    return [(name, item["question"], item["answer"]) for name, items in listing.items() for item in items]


def mark_correct_hits(found, name, answer):
    """Return for each hit whether it is the correct one."""
    return [hit.document.name == name and answer in hit.chunk.text for hit in found.hits]


def list_chunks(found):
    return [(hit.document.name, hit.chunk.index) for hit in found.hits]


@pytest.mark.parametrize("fixture_name", ["library", "indexed"])
def test_sample_questions_find_their_chunks_in_first_three_hits(fixture_name, request, sample_questions):
    search = request.getfixturevalue(fixture_name).search
    questions = list_questions(sample_questions)
    correct = [mark_correct_hits(search.find(question, 3), name, answer) for name, question, answer in questions]
    missed = [question for (_, question, _), hits in zip(questions, correct, strict=True) if not any(hits)]
    assert missed == []
    assert sum(hits[0] for hits in correct) >= 0.9 * len(questions)


def test_best_sentence_of_first_hit_is_mostly_the_answer(library, sample_questions):
    questions = list_questions(sample_questions)
    first_hits = [(library.search.find(question, 1).hits, answer) for _, question, answer in questions]
    correct_count = sum(
        any(scored.sentence.text == answer for hit in hits for scored in hit.sentences) for hits, answer in first_hits
    )
    assert correct_count >= 0.85 * len(questions)


def test_index_and_exact_scan_give_same_hits_and_scores(library, sample_questions):
    questions = [question for _, question, _ in list_questions(sample_questions)]
    exact = [library.search.find(question, 5) for question in questions]
    library.index.sync()
    for question, found in zip(questions, exact, strict=True):
        indexed = library.search.find(question, 5)
        assert list_chunks(indexed) == list_chunks(found)
        assert [hit.score for hit in indexed.hits] == pytest.approx([hit.score for hit in found.hits], abs=1e-6)


def test_hit_has_sentences_of_its_chunk_best_first(library):
    hit = library.search.find("How much does the Contractor pay for each day of delay?", 1).hits[0]
    text = library.catalog.text(hit.document)
    for scored in hit.sentences:
        assert hit.chunk.start <= scored.sentence.start < scored.sentence.end <= hit.chunk.end
        assert text[scored.sentence.start : scored.sentence.end] == scored.sentence.text
    scores = [scored.score for scored in hit.sentences]
    assert scores == sorted(scores, reverse=True)
    assert "£4,200" in hit.sentences[0].sentence.text or "£4,200" in hit.sentences[1].sentence.text


def test_scores_fall_between_1_and_0(library):
    scores = [hit.score for hit in library.search.find("damage by waves", 20, min_score=0).hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] > scores[-1]


@pytest.mark.parametrize("word", ["早餐", "漁船", "颱風"])
def test_chinese_word_of_two_characters_is_found_verbatim(library, word):
    """Sections that contain the word come first; others that are about the same, in any language, may follow."""
    hits = library.search.find(word).hits
    contains_word = [word in hit.chunk.text for hit in hits]
    assert contains_word[0]
    assert contains_word == sorted(contains_word, reverse=True)
    assert any(word in one.sentence.text for one in hits[0].sentences)


@pytest.mark.parametrize("character", ["颱", "船", "。", "a", "7"])
def test_single_character_is_valid_question(library, character):
    hits = library.search.find(character).hits
    if character in "颱船":
        assert character in hits[0].chunk.text


@pytest.mark.parametrize(
    "nonsense",
    [
        "asdf qwer zxcv",
        "What is the best recipe for banana pancakes?",
        "How do I train a falcon to hunt rabbits?",
        "who won the 1998 world cup final",
        "香蕉煎饼怎么做？",
        "如何训练一只猎鹰？",
        "!!! ???",
    ],
)
def test_nonsense_finds_nothing(library, nonsense):
    assert library.search.find(nonsense).hits == ()


def test_caller_chooses_minimum_score(library):
    assert library.search.find("How do I train a falcon?", min_score=0).hits
    assert library.search.find("Who may cancel a dive?", min_score=1).hits == ()


@pytest.mark.parametrize(
    "question",
    [
        '"ferry"',
        "ferry*",
        "NEAR(ferry island)",
        "-ferry",
        "ferry:island",
        "terms:ferry",
        "ferry AND NOT island",
        "ferry%' OR 1=1 --",
        "ferry OR",
        '"""ferry',
        "ferry\x00island",
        "^ferry + (island",
    ],
)
def test_full_text_operators_are_searched_as_words(services, note, question):
    assert [hit.document.id for hit in services.search.find(question, min_score=0.1).hits] == [note.id]


def test_lone_surrogate_is_valid_in_question_and_filter(services, note):
    services.search.find("ferry \ud800 island", where={"name": "\ud800"})


@pytest.mark.parametrize("text", ["ferry island seven ", "渡輪早上七時開出", "a-1:*\"' "])
def test_question_of_2000_characters_is_valid(services, note, text):
    services.search.find((text * 700)[:2000], min_score=0)


def test_empty_library_finds_nothing(services):
    assert services.search.find("Who pays?").hits == ()
    services.index.sync()
    assert services.search.find("Who pays?").hits == ()


def test_other_collections_are_never_revealed(services, write):
    words = "The ferry leaves the island at seven in the morning."
    visible, hidden = write("ours.txt", words, "ours"), write("theirs.txt", words + " It is theirs.", "theirs")
    before = services.search.find("When does the ferry leave?", visible=VisibleCollections(frozenset({"ours"})))
    for with_index in (False, True):
        if with_index:
            services.index.sync()
        found = services.search.find("When does the ferry leave?", visible=VisibleCollections(frozenset({"ours"})))
        assert [hit.document.id for hit in found.hits] == [visible.id]
        assert found == before
        asked_for = services.search.find(
            "When does the ferry leave?",
            visible=VisibleCollections(frozenset({"ours"})),
            where={"collection": "theirs"},
        )
        assert asked_for.hits == ()
    assert {hit.document.id for hit in services.search.find("ferry").hits} == {visible.id, hidden.id}
    assert services.search.find("ferry", visible=VisibleCollections(frozenset())).hits == ()


def test_invisible_document_does_not_change_score(services, write):
    write("ours.txt", "The ferry leaves the island at seven in the morning.", "ours")
    visible = VisibleCollections(frozenset({"ours"}))
    before = services.search.find("When does the ferry leave?", visible=visible)
    write("theirs.txt", "A ferry. The ferry. Every ferry leaves. Ferries leave the island.", "theirs")
    assert services.search.find("When does the ferry leave?", visible=visible) == before


@pytest.mark.parametrize("with_index", [False, True])
def test_section_that_is_near_only_across_languages_is_a_candidate(services, write, monkeypatch, with_index):
    """The question's own vector is nearer to the sentence about money, the mapped one to that about who decides."""
    monkeypatch.setattr(hybrid_search, "MAX_CHUNKS_PER_RANKING", 1)
    right = write("right.txt", "Über die Aufnahme entscheidet die Leiterin gemeinsam mit dem Elternrat.")
    write("wrong.txt", "Der Elternbeitrag richtet sich nach dem Einkommen und liegt zwischen 0 und 310 Euro im Monat.")
    if with_index:
        services.index.sync()
    hits = services.search.find("من يقرّر قبول الأطفال؟", min_score=0.0).hits
    assert hits[0].document.id == right.id


# Sections whose similarity to a question in another language is below MIN_SCORE, though one of their sentences answers it.
SEALS = "Le phoque gris se repose sur ce banc de sable. On ne doit pas s'en approcher à moins de trois cents mètres."
CHARGING = "小区的充电棚上个月正式启用。充电费按度计算，由居民扫码支付。插座损坏可以打电话给物业，当天就有人来修。"


@pytest.fixture
def read_questions(services, monkeypatch):
    """The questions that the question reader of `services` is asked."""
    questions, read = [], services.evidence_scorer.reader.read
    monkeypatch.setattr(
        services.evidence_scorer.reader,
        "read",
        lambda question, *arguments: questions.append(question) or read(question, *arguments),
    )
    return questions


@pytest.mark.parametrize("with_index", [False, True])
@pytest.mark.parametrize(
    ("question", "name", "answer"),
    [
        ("How close may I go?", "seals.txt", "trois cents mètres"),
        ("بمن أتصل إذا تعطل شيء؟", "charging.txt", "打电话给物业"),
    ],
)
def test_section_in_another_language_is_listed_where_question_reader_finds_answer(
    services, write, with_index, question, name, answer
):
    write("seals.txt", SEALS)
    write("charging.txt", CHARGING)
    if with_index:
        services.index.sync()
    (hit,) = services.search.find(question).hits
    assert (hit.document.name, hit.score) == (name, MIN_SCORE)
    assert answer in hit.sentences[0].sentence.text
    assert services.search.find(question, where={"name": "other.txt"}).hits == ()
    assert services.search.find(question, min_score=MIN_SCORE + 0.01).hits == ()
    services.evidence_scorer.reader = QuestionReader(services.settings.data_dir / "none.onnx")
    assert services.search.find(question).hits == ()
    services.evidence_scorer.reader = None
    assert services.search.find(question).hits == ()


def test_question_that_nothing_answers_finds_nothing_in_other_languages(services, write, read_questions):
    write("seals.txt", SEALS)
    questions = ["How much does a seal weigh?", "Who pays?", "Wie alt werden sie?"]
    assert [question for question in questions if services.search.find(question).hits] == []
    assert read_questions


def test_nothing_is_read_where_a_visible_section_is_clearly_found(services, write, read_questions):
    write("seals.txt", SEALS, "ours")
    visible = VisibleCollections(frozenset({"ours"}))
    before = services.search.find("How close may I go?", visible=visible)
    assert [hit.document.name for hit in before.hits] == ["seals.txt"]
    write("theirs.txt", "You may go as close as ten metres.", "theirs")
    assert services.search.find("How close may I go?", visible=visible) == before
    read_questions.clear()
    assert [hit.document.name for hit in services.search.find("How close may I go?").hits] == ["theirs.txt"]
    assert services.search.find("Can I bring my dog?").hits == ()
    assert read_questions == []


@pytest.mark.parametrize("with_index", [False, True])
def test_metadata_filters_match_value_or_any_of_list(services, write, with_index):
    words = "The tenant gives notice of three months."
    acme = write("acme.txt", words, client="Acme", year=2024, signed=True, tags=["lease", "north"])
    initech = write("initech.txt", words + " In writing.", client="Initech", year=2023, signed=False, tags=["lease"])
    plain = write("plain.txt", words + " By post.")
    if with_index:
        services.index.sync()

    def found(**where):
        return {hit.document.id for hit in services.search.find("notice of the tenant", where=where).hits}

    assert found() == {acme.id, initech.id, plain.id}
    assert found(client="Acme") == {acme.id}
    assert found(client="acme") == set()
    assert found(client=["Acme", "Initech"]) == {acme.id, initech.id}
    assert found(client=["Acme", "Initech"], year=2023) == {initech.id}
    assert found(year="2024") == found(year=2024) == {acme.id}
    assert found(signed=True) == {acme.id}
    assert found(tags="lease") == {acme.id, initech.id}
    assert found(tags=["north", "south"]) == {acme.id}
    assert found(name="plain.txt") == found(kind="txt", name=["plain.txt"]) == {plain.id}
    assert found(client=[]) == found(nobody="x") == found(**{"a\"]'.$": "x"}) == set()


def test_document_not_yet_indexed_is_found(services, write):
    write("first.txt", "The ferry leaves the island at seven in the morning.")
    services.index.sync()
    late = write("late.txt", "Dogs must be kept on a lead in the park.")
    assert services.search.find("Do dogs need a lead?", 1).hits[0].document.id == late.id
    services.index.sync()
    assert services.search.find("Do dogs need a lead?", 1).hits[0].document.id == late.id


@pytest.mark.parametrize("with_index", [False, True])
def test_deleted_or_unreadable_document_is_not_found(services, write, with_index):
    stays = write("stays.txt", "The ferry leaves at seven.")
    gone, lost = write("gone.txt", "The ferry leaves at eight."), write("lost.txt", "The ferry leaves at nine.")
    if with_index:
        services.index.sync()
    services.delete_document(gone.id)
    services.catalog.set_state(lost.id, FAILED, "It was lost.")
    assert [hit.document.id for hit in services.search.find("When does the ferry leave?").hits] == [stays.id]


@pytest.mark.parametrize("with_index", [False, True])
def test_current_version_is_found_and_old_one_can_be_searched_by_itself(services, write, with_index):
    old = write("plan.txt", "The ferry leaves at seven.")
    if with_index:
        services.index.sync()
    new = write("plan.txt", "The ferry leaves at eight.")
    for _ in range(2):
        assert [hit.document.id for hit in services.search.find("When does the ferry leave?").hits] == [new.id]
        assert services.search.find_best_chunk("When does the ferry leave?", old).text == "The ferry leaves at seven."
        services.index.sync()
    services.delete_document(new.id)
    assert [hit.document.id for hit in services.search.find("When does the ferry leave?").hits] == [old.id]


def test_catalog_answers_while_another_process_owns_index(services, note):
    services.index.sync()
    services.index.close()
    program = (
        "import sys; from pathlib import Path; from highlighter.store.folder_index import FolderIndex; "
        "i = FolderIndex(Path(sys.argv[1]), None, ''); print(i.acquire_ownership(), flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(services.index.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout.readline().strip() == "True"
        assert services.index.sync() == 0
        assert services.search.find("How much is a ticket?").hits[0].document.id == note.id
        assert services.index._opened is None
        owner.stdin.close()


def test_search_without_model_compares_words_and_says_so(library_folder, library):
    services = Services(Settings(data_dir=library_folder), Embedder("/no/such/model"))
    search = HybridSearch(
        library.catalog,
        FolderIndex(library_folder / "index", library.catalog, ""),
        services.embedder,
        services.passage_highlighter,
    )
    found = search.find("delay damages for each day", 1)
    assert found.degraded == NO_MODEL_NOTE
    assert "delay damages" in found.hits[0].chunk.text
    assert "delay damages" in found.hits[0].sentences[0].sentence.text
    assert search.find("asdf qwer zxcv").hits == ()
    services.close()


def test_limit_is_respected(library):
    assert len(library.search.find("the Contractor", 4, min_score=0).hits) == 4
    assert len(set(list_chunks(library.search.find("the Contractor", 100, min_score=0)))) > 20


@pytest.mark.parametrize("sample", ["Harbour Works Contract.pdf", "员工食堂管理办法.txt"])
def test_best_chunk_of_document_answers_question(library, sample, sample_questions):
    document = next(document for document in library.catalog.documents() if document.name == sample)
    for item in sample_questions[sample]:
        assert item["answer"] in library.search.find_best_chunk(item["question"], document).text


def test_vectors_of_another_model_are_ignored_with_note(library_folder, library, embedder):
    other = Embedder("another model")
    other._engine, other.state = embedder._engine, WARM
    services = Services(Settings(data_dir=library_folder), other)
    found = services.search.find("delay damages for each day", 1)
    assert "embedded with a model other than another model" in found.degraded
    assert "doctor --fix" in found.degraded
    assert "delay damages" in found.hits[0].chunk.text
    services.close()
