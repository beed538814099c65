"""An answer is kept as it was given; when a document goes, its words go from every answer, and the chain holds."""

import json
from dataclasses import asdict, replace

import pytest
from sqlalchemy import event, select

from highlighter.access import VisibleCollections
from highlighter.answering.answer import Answer, EvidenceEvent, SubQuestion
from highlighter.answering.pipeline import DISK_FULL_WARNING, NOT_SAVED_WARNING
from highlighter.answering.records import AnswerStore
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.errors import NotFound
from highlighter.models import Citation, Claim, ClaimEvidence, Source, UnresolvedMarker
from highlighter.serializers.answers import serialize_answer
from highlighter.store.audit_log import ANSWERED, DELETED
from highlighter.store.audit_verification import verify_audit
from highlighter.store.schema import answer_parts, answers
from highlighter.urls import Links
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES
from tests.ingest.test_full_disk import full_catalog

TICKET = "How much is a ticket?"
OTHER = "Dogs travel free of charge. A bicycle costs two pounds and is carried on deck."


@pytest.fixture
def other(tmp_path, services, process_pool):
    path = tmp_path / "other.txt"
    path.write_text(OTHER, encoding="utf-8")
    return ingest_file(path, services, process_pool, collection="rules").document


def opened(services, answer, visible=VisibleCollections()):
    return services.answer_records.load(answer.id, visible)


def proof(services):
    with services.catalog.engine.connect() as connection:
        return verify_audit(connection)


def everything_kept(services):
    """All words of all answers, and all else that is kept of them."""
    with services.catalog.engine.connect() as connection:
        rows = [tuple(row) for table in (answers, answer_parts) for row in connection.execute(select(table))]
    return json.dumps(rows, ensure_ascii=False)


@pytest.mark.parametrize("how", [{}, {"citation_style": "footnote"}, {"format": "bullets", "mode": "summary"}])
def test_it_is_shown_again_as_it_was(services, note, how):
    ask = QuestionRequest(TICKET, filters={"collection": "default"}, history=(("Who?", "The captain."),), **how)
    answer = services.answer_pipeline.answer(ask)
    kept = opened(services, answer)
    assert kept.answer == answer
    assert answer.citations
    assert (kept.request_options["citation_style"], kept.request_options["filters"]) == (
        ask.citation_style,
        ask.filters,
    )
    assert (kept.audit_row["what"], kept.audit_row["answer_id"], kept.is_complete) == (ANSWERED, answer.id, True)
    assert proof(services).discrepancies == ()


def test_all_that_an_answer_can_hold_comes_back(services, note):
    """Whatever a model, a check and a schema add."""
    given = Citation(
        1, "[Note]", 2, 5, "exact", 0, note.id, note.name, note.sha256, 1, 0, (1, 0, 9), "q \0", 0, 4, sub_question="Who?"
    )  # fmt: skip
    answer = Answer(
        "a" * 32, "Who?", "No [Note] [9]", (SubQuestion("Who?", 2, 1),), (given,),
        (UnresolvedMarker("[9]", 8, 11, "unknown", "There is no 9.", (0,)),),
        (Source(note.name, "Note", note.id, (1, 2), ("i", "ii"), 0, "Words."), Source("own.txt", text="Own.")),
        (Claim("No.", 0, 2, "partly", 0.5, (ClaimEvidence(0, 0, 4, "Word", 0.25),), "Why."),),
        0.5, 0.75, "high", False, "", 1, 2, "some/model", 12, 34, ("Careful.",), {"key_facts": [1, None, {"a": 0.5}]},
        "summary", "2026-01-01T00:00:00+00:00", "7", True,
    )  # fmt: skip
    services.answer_records.save(answer, QuestionRequest("Who?"))
    assert opened(services, answer).answer == answer


def test_a_refusal_is_kept_too(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?"))
    assert answer.refused
    assert opened(services, answer).answer == answer


def test_it_is_kept_before_anybody_is_told_that_it_is_done(services, note):
    for step in services.answer_pipeline.stream_events(QuestionRequest(TICKET)):
        if step.name == "done":
            assert opened(services, step.answer).answer == step.answer


def seeing(*names):
    return VisibleCollections(frozenset(names))


def test_who_may_not_see_a_source_does_not_see_the_answer(services, note, other):
    answer = services.answer_pipeline.answer(
        QuestionRequest("What travels free of charge?"), seeing("default", "rules")
    )
    assert {source.document_id for source in answer.sources} == {note.id, other.id}
    for visible in (seeing("default", "rules"), seeing("default", "rules", "more"), VisibleCollections()):
        assert opened(services, answer, visible).answer == answer
    for visible in (seeing("default"), seeing("rules"), seeing()):
        with pytest.raises(NotFound, match=f"no answer {answer.id}"):
            opened(services, answer, visible)


@pytest.mark.parametrize(
    ("asked", "visible", "over"),
    [
        (QuestionRequest("Who won the chess championship of 1972?"), seeing("default"), {"default"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), seeing("default", "rules"), {"rules"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), VisibleCollections(), {"rules"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), seeing("default"), {"default"}),
        (QuestionRequest(TICKET, sources=(CallerSource("Tickets cost four pounds."),)), seeing("default"), {"default"}),
    ],
)
def test_an_answer_without_documents_belongs_to_what_it_was_asked_over(services, note, asked, visible, over):
    answer = services.answer_pipeline.answer(asked, visible)
    assert opened(services, answer, seeing(*over)).answer == answer
    for other in (seeing("others"), seeing(*({"default", "rules"} - over)), seeing()):
        with pytest.raises(NotFound, match=f"no answer {answer.id}"):
            opened(services, answer, other)


def test_what_was_asked_over_everything_is_for_who_sees_everything(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert opened(services, answer).answer == answer
    with pytest.raises(NotFound, match=f"no answer {answer.id}"):
        opened(services, answer, seeing("default"))


def test_when_a_document_goes_its_words_go_and_hashes_stay(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    before = opened(services, answer)
    assert "four pounds" in everything_kept(services)
    services.delete_document(note.id)
    assert not any(words in everything_kept(services) for words in ("four pounds", "ferry", note.name))
    after = opened(services, answer)
    assert (after.answer.question, after.answer.text, after.is_complete) == (TICKET, "", False)
    assert after.head == before.head
    assert [part.digest for part in after.record.parts] == [part.digest for part in before.record.parts]
    (citation,), (was,) = after.answer.citations, answer.citations
    assert (citation.quote, citation.sha256, citation.quote_start) == ("", note.sha256, was.quote_start)
    assert (proof(services).redacted, proof(services).discrepancies) == (1, ())
    assert [entry.what for entry in services.catalog.audit_entries()][-2:] == [ANSWERED, DELETED]


def test_a_document_that_was_given_and_not_cited_takes_the_words_with_it_too(services, note, other):
    answer = services.answer_pipeline.answer(QuestionRequest("What does a bicycle cost?"))
    assert {one.document_id for one in answer.citations} == {other.id}
    assert note.id in {one.document_id for one in answer.sources}
    services.delete_document(note.id)
    after = opened(services, answer)
    assert (after.answer.text, after.answer.citations[0].quote) == ("", answer.citations[0].quote)
    assert [after.is_source_redacted(at) for at in range(2)] == [one.document_id == note.id for one in answer.sources]
    assert "ferry" not in everything_kept(services)
    services.delete_document(other.id)
    assert "bicycle is carried" not in everything_kept(services)
    assert proof(services).discrepancies == ()


def test_a_question_that_quotes_goes_with_what_it_quotes(services, note, other):
    quoting = "Is it true that tickets cost four pounds and are sold on board?"
    answer = services.answer_pipeline.answer(QuestionRequest(quoting))
    assert answer.sources
    services.delete_document(note.id)
    after = opened(services, answer).answer
    assert (after.question, after.sub_questions) == ("", ())
    assert "four pounds" not in everything_kept(services)


def test_other_answers_stay_as_they_were(services, note, other):
    own = services.answer_pipeline.answer(
        QuestionRequest("Who sings?", sources=(CallerSource("Birds sing at dawn.", "birds.txt"),))
    )
    about = services.answer_pipeline.answer(QuestionRequest(TICKET, sources=(CallerSource(document_id=note.id),)))
    services.delete_document(other.id)
    assert [opened(services, answer).answer for answer in (own, about)] == [own, about]


def test_words_of_a_document_that_went_meanwhile_are_not_kept(services, note):
    """Deleted after the answer was written, and before it was kept."""
    keep = AnswerStore(services.catalog.engine).save

    def late(answer, ask, visible):
        services.delete_document(note.id)
        keep(answer, ask, visible)

    services.answer_pipeline._save_answer = late
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert "four pounds" in answer.text
    assert "four pounds" not in everything_kept(services)
    (given,) = opened(services, answer).record.documents
    assert (given.sha256, given.collection, given.there) == (note.sha256, "default", False)
    assert proof(services).discrepancies == ()


def test_a_deletion_that_fails_redacts_nothing(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))

    def fail(_connection):
        raise RuntimeError("killed before the commit")

    event.listen(services.catalog.engine, "commit", fail)
    with pytest.raises(RuntimeError, match="before the commit"):
        services.delete_document(note.id)
    event.remove(services.catalog.engine, "commit", fail)
    assert opened(services, answer).answer == answer


def test_nothing_is_kept_where_that_is_set(services, note):
    services.settings = replace(services.settings, keep_answers=False)
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert answer.warnings == ()
    assert serialize_answer(answer, Links()).links == {}
    with pytest.raises(NotFound):
        opened(services, answer)


def test_a_document_deleted_while_it_is_answered_from_leaves_a_whole_answer_without_its_words(services, note):
    steps = services.answer_pipeline.stream_events(QuestionRequest(TICKET))
    for step in steps:
        if isinstance(step, EvidenceEvent):
            services.delete_document(note.id)
    assert "four pounds" in step.answer.text
    kept = opened(services, step.answer)
    assert not kept.is_complete
    assert "four pounds" not in json.dumps(asdict(kept.answer))
    assert proof(services).discrepancies == ()


def test_on_a_full_disk_the_answer_is_given_and_says_that_it_is_not_kept(services, process_pool, caplog):
    document = ingest_file(SAMPLES / "Laboratory Safety Note.txt", services, process_pool).document
    with full_catalog(services.catalog.engine, 0):
        answer = services.answer_pipeline.answer(
            QuestionRequest("Who must wear goggles?", sources=(CallerSource(document_id=document.id),))
        )
    assert DISK_FULL_WARNING in answer.warnings
    assert answer.text
    assert f"Answer {answer.id} was not saved" in caplog.text
    assert services.answer_pipeline.answer(QuestionRequest("Who must wear goggles?")).warnings == ()
    assert proof(services).discrepancies == ()


def test_whatever_else_hinders_keeping_it_is_said_too(services, note, caplog):
    def fail(*_):
        raise RuntimeError("no such luck")

    services.answer_pipeline._save_answer = fail
    assert services.answer_pipeline.answer(QuestionRequest(TICKET)).warnings == (NOT_SAVED_WARNING,)
    assert "no such luck" in caplog.text
