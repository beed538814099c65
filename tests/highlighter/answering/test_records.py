"""Stored answers: they are restored as given, and deleting a document redacts its text in all of them."""

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
from highlighter.locale import N_
from highlighter.locale.user_message import list_messages
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
OTHER_TEXT = "Dogs travel free of charge. A bicycle costs two pounds and is carried on deck."


@pytest.fixture
def other(tmp_path, services, process_pool):
    path = tmp_path / "other.txt"
    path.write_text(OTHER_TEXT, encoding="utf-8")
    return ingest_file(path, services, process_pool, collection="rules").document


def load_answer(services, answer, visible=VisibleCollections()):
    return services.answer_records.load(answer.id, visible)


def verify(services):
    with services.catalog.engine.connect() as connection:
        return verify_audit(connection)


def dump_stored_text(services):
    """Return everything that is stored of all answers, as text."""
    with services.catalog.engine.connect() as connection:
        rows = [tuple(row) for table in (answers, answer_parts) for row in connection.execute(select(table))]
    return json.dumps(rows, ensure_ascii=False)


@pytest.mark.parametrize("options", [{}, {"citation_style": "footnote"}, {"format": "bullets", "mode": "summary"}])
def test_stored_answer_is_restored_as_given(services, note, options):
    request = QuestionRequest(TICKET, filters={"collection": "default"}, history=(("Who?", "The captain."),), **options)
    answer = services.answer_pipeline.answer(request)
    stored = load_answer(services, answer)
    assert stored.answer == answer
    assert answer.citations
    assert (stored.request_options["citation_style"], stored.request_options["filters"]) == (
        request.citation_style,
        request.filters,
    )
    assert (stored.audit_row["what"], stored.audit_row["answer_id"], stored.is_complete) == (ANSWERED, answer.id, True)
    assert verify(services).discrepancies == ()


def test_messages_of_stored_answer_can_still_be_translated(services, note):
    why, warning = (
        N_("The sources do not say “{missing}”.", missing="free"),
        N_("The answer was cut off at {limit} tokens.", limit=9),
    )
    reason = N_("the grounding score of {score:g} is below the limit of {limit:g}", score=0.25, limit=0.5)
    answer = Answer(
        "a" * 32, "Who?", "No [9]", (SubQuestion("Who?"),), unresolved=(UnresolvedMarker("[9]", 3, 6, "unknown", why),),
        claims=(Claim("No.", 0, 2, "partly", 0.5, (), why),), refusal_reason=reason, warnings=(warning, "Careful."),
        data={"text": "a", "id": "b {c}", "values": {"c": 1}}, is_stored=True,
    )  # fmt: skip
    services.answer_records.save(answer, QuestionRequest("Who?"))
    stored = load_answer(services, answer).answer
    assert stored == answer
    messages = stored.unresolved[0].why, stored.claims[0].why, stored.refusal_reason, *stored.warnings
    assert [list_messages(message) for message in messages] == [
        list_messages(why), list_messages(why), list_messages(reason), list_messages(warning), []
    ]  # fmt: skip


def test_every_field_of_answer_is_restored(services, note):
    citation = Citation(
        1, "[Note]", 2, 5, "exact", 0, note.id, note.name, note.sha256, 1, 0, (1, 0, 9), "q \0", 0, 4, sub_question="Who?"
    )  # fmt: skip
    answer = Answer(
        "a" * 32, "Who?", "No [Note] [9]", (SubQuestion("Who?", 2, 1),), (citation,),
        (UnresolvedMarker("[9]", 8, 11, "unknown", "There is no 9.", (0,)),),
        (Source(note.name, "Note", note.id, (1, 2), ("i", "ii"), 0, "Words."), Source("own.txt", text="Own.")),
        (Claim("No.", 0, 2, "partly", 0.5, (ClaimEvidence(0, 0, 4, "Word", 0.25),), "Why."),),
        0.5, 0.75, "high", False, "", 1, 2, "some/model", 12, 34, ("Careful.",), {"key_facts": [1, None, {"a": 0.5}]},
        "summary", "2026-01-01T00:00:00+00:00", "7", True,
    )  # fmt: skip
    services.answer_records.save(answer, QuestionRequest("Who?"))
    assert load_answer(services, answer).answer == answer


def test_refusal_is_stored(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?"))
    assert answer.refused
    assert load_answer(services, answer).answer == answer


def test_answer_is_stored_before_last_event_is_sent(services, note):
    for sent in services.answer_pipeline.stream_events(QuestionRequest(TICKET)):
        if sent.name == "done":
            assert load_answer(services, sent.answer).answer == sent.answer


def visible_collections(*names):
    return VisibleCollections(frozenset(names))


def test_answer_is_visible_only_with_all_its_collections(services, note, other):
    answer = services.answer_pipeline.answer(
        QuestionRequest("What travels free of charge?"), visible_collections("default", "rules")
    )
    assert {source.document_id for source in answer.sources} == {note.id, other.id}
    for visible in (
        visible_collections("default", "rules"),
        visible_collections("default", "rules", "more"),
        VisibleCollections(),
    ):
        assert load_answer(services, answer, visible).answer == answer
    for visible in (visible_collections("default"), visible_collections("rules"), visible_collections()):
        with pytest.raises(NotFound, match=f"Answer {answer.id} was not found"):
            load_answer(services, answer, visible)


@pytest.mark.parametrize(
    ("question_request", "visible", "searched"),
    [
        (QuestionRequest("Who won the chess championship of 1972?"), visible_collections("default"), {"default"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), visible_collections("default", "rules"), {"rules"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), VisibleCollections(), {"rules"}),
        (QuestionRequest(TICKET, filters={"collection": "rules"}), visible_collections("default"), {"default"}),
        (
            QuestionRequest(TICKET, sources=(CallerSource("Tickets cost four pounds."),)),
            visible_collections("default"),
            {"default"},
        ),
    ],
)
def test_answer_without_documents_belongs_to_searched_collections(services, note, question_request, visible, searched):
    answer = services.answer_pipeline.answer(question_request, visible)
    assert load_answer(services, answer, visible_collections(*searched)).answer == answer
    for other in (
        visible_collections("others"),
        visible_collections(*({"default", "rules"} - searched)),
        visible_collections(),
    ):
        with pytest.raises(NotFound, match=f"Answer {answer.id} was not found"):
            load_answer(services, answer, other)


def test_answer_from_all_collections_needs_access_to_all(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert load_answer(services, answer).answer == answer
    with pytest.raises(NotFound, match=f"Answer {answer.id} was not found"):
        load_answer(services, answer, visible_collections("default"))


def test_deleting_document_redacts_its_text_and_keeps_hashes(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    before = load_answer(services, answer)
    assert "four pounds" in dump_stored_text(services)
    services.delete_document(note.id)
    assert not any(text in dump_stored_text(services) for text in ("four pounds", "ferry", note.name))
    after = load_answer(services, answer)
    assert (after.answer.question, after.answer.text, after.is_complete) == (TICKET, "", False)
    assert after.head == before.head
    assert [part.digest for part in after.record.parts] == [part.digest for part in before.record.parts]
    (citation,), (original,) = after.answer.citations, answer.citations
    assert (citation.quote, citation.sha256, citation.quote_start) == ("", note.sha256, original.quote_start)
    assert (verify(services).redacted, verify(services).discrepancies) == (1, ())
    assert [entry.what for entry in services.catalog.audit_entries()][-2:] == [ANSWERED, DELETED]


def test_deleting_uncited_source_redacts_answer_text(services, note, other):
    answer = services.answer_pipeline.answer(QuestionRequest("What does a bicycle cost?"))
    assert {citation.document_id for citation in answer.citations} == {other.id}
    assert note.id in {source.document_id for source in answer.sources}
    services.delete_document(note.id)
    after = load_answer(services, answer)
    assert (after.answer.text, after.answer.citations[0].quote) == ("", answer.citations[0].quote)
    assert [after.is_source_redacted(index) for index in range(2)] == [
        source.document_id == note.id for source in answer.sources
    ]
    assert "ferry" not in dump_stored_text(services)
    services.delete_document(other.id)
    assert "bicycle is carried" not in dump_stored_text(services)
    assert verify(services).discrepancies == ()


def test_question_that_quotes_document_is_redacted_with_it(services, note, other):
    quoting = "Is it true that tickets cost four pounds and are sold on board?"
    answer = services.answer_pipeline.answer(QuestionRequest(quoting))
    assert answer.sources
    services.delete_document(note.id)
    after = load_answer(services, answer).answer
    assert (after.question, after.sub_questions) == ("", ())
    assert "four pounds" not in dump_stored_text(services)


def test_deleting_document_leaves_other_answers_unchanged(services, note, other):
    own = services.answer_pipeline.answer(
        QuestionRequest("Who sings?", sources=(CallerSource("Birds sing at dawn.", "birds.txt"),))
    )
    about = services.answer_pipeline.answer(QuestionRequest(TICKET, sources=(CallerSource(document_id=note.id),)))
    services.delete_document(other.id)
    assert [load_answer(services, answer).answer for answer in (own, about)] == [own, about]


def test_text_of_document_deleted_before_saving_is_not_stored(services, note):
    """Delete the document after the answer was written, and before it is stored."""
    save = AnswerStore(services.catalog.engine).save

    def delete_before_saving(answer, request, visible):
        services.delete_document(note.id)
        save(answer, request, visible)

    services.answer_pipeline._save_answer = delete_before_saving
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert "four pounds" in answer.text
    assert "four pounds" not in dump_stored_text(services)
    (document,) = load_answer(services, answer).record.documents
    assert (document.sha256, document.collection, document.existed) == (note.sha256, "default", False)
    assert verify(services).discrepancies == ()


def test_failed_deletion_redacts_nothing(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))

    def fail(_connection):
        raise RuntimeError("killed before the commit")

    event.listen(services.catalog.engine, "commit", fail)
    with pytest.raises(RuntimeError, match="before the commit"):
        services.delete_document(note.id)
    event.remove(services.catalog.engine, "commit", fail)
    assert load_answer(services, answer).answer == answer


def test_answers_are_not_stored_when_disabled(services, note):
    services.settings = replace(services.settings, keep_answers=False)
    answer = services.answer_pipeline.answer(QuestionRequest(TICKET))
    assert answer.warnings == ()
    assert serialize_answer(answer, Links()).links == {}
    with pytest.raises(NotFound):
        load_answer(services, answer)


def test_document_deleted_while_answering_is_redacted_in_stored_answer(services, note):
    for sent in services.answer_pipeline.stream_events(QuestionRequest(TICKET)):
        if isinstance(sent, EvidenceEvent):
            services.delete_document(note.id)
    assert "four pounds" in sent.answer.text
    stored = load_answer(services, sent.answer)
    assert not stored.is_complete
    assert "four pounds" not in json.dumps(asdict(stored.answer))
    assert verify(services).discrepancies == ()


def test_full_disk_adds_warning_that_answer_is_not_stored(services, process_pool, caplog):
    document = ingest_file(SAMPLES / "Laboratory Safety Note.txt", services, process_pool).document
    with full_catalog(services.catalog.engine, 0):
        answer = services.answer_pipeline.answer(
            QuestionRequest("Who must wear goggles?", sources=(CallerSource(document_id=document.id),))
        )
    assert DISK_FULL_WARNING in answer.warnings
    assert answer.text
    assert f"Answer {answer.id} was not saved" in caplog.text
    assert services.answer_pipeline.answer(QuestionRequest("Who must wear goggles?")).warnings == ()
    assert verify(services).discrepancies == ()


def test_failure_to_store_answer_adds_warning(services, note, caplog):
    def fail(*_):
        raise RuntimeError("no such luck")

    services.answer_pipeline._save_answer = fail
    assert services.answer_pipeline.answer(QuestionRequest(TICKET)).warnings == (NOT_SAVED_WARNING,)
    assert "no such luck" in caplog.text
