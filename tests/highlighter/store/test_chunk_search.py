from sqlalchemy import delete, text

from highlighter.models import READY
from highlighter.store import chunk_search
from highlighter.store.catalog import ReadingOutcome
from highlighter.store.chunk_search import SearchScope
from highlighter.store.database import write_transaction
from highlighter.store.schema import catalog_values, chunk_terms, documents
from highlighter.text.terms import extract_terms
from tests.highlighter.store.test_catalog import contents


def save_document(services, text="One fish. Two fish.", name="fish.txt"):
    document = services.catalog.register("default", name.ljust(64, "0"), name, "txt", 19)
    services.catalog.save_contents(document.id, contents(text, document.id), ReadingOutcome(READY))
    return document


def find_document_ids(services, question):
    return [
        key.document_id
        for key in chunk_search.search_full_text(services.catalog.engine, extract_terms(question), SearchScope(), 10)
    ]


def count_full_text_rows(services, term):
    with services.catalog.engine.connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        condition, value = ("chunk_words MATCH :term", f'"{term}"') if is_sqlite else ("term = :term", term)
        return connection.execute(text(f"SELECT count(*) FROM chunk_words WHERE {condition}"), {"term": value}).scalar()


def test_terms_are_found_in_any_form(services):
    document = save_document(services, "The ferries were leaving.")
    assert find_document_ids(services, "ferry leaves") == [document.id]
    assert find_document_ids(services, "whale") == []


def test_numbers_keep_their_points_and_commas(services):
    document = save_document(services, "Clause 4.2.1 sets the price at 4,200 pounds; it isn't final.")
    for term in ("4.2.1", "4,200", "isn't"):
        assert find_document_ids(services, term) == [document.id], term
    assert find_document_ids(services, "4.2") == []


def test_every_chinese_character_is_found_by_itself(services):
    document = save_document(services, "員工放假。公司休息")
    for character in "員工放假公司休息":
        assert find_document_ids(services, character) == [document.id], character
    assert find_document_ids(services, "放假") == [document.id]
    assert find_document_ids(services, "假公") == []  # no word across a full stop


def test_chunk_with_more_terms_comes_first(services):
    both, one = (
        save_document(services, "A red fish swims."),
        save_document(services, "A red house stands. It is old.", "house"),
    )
    assert find_document_ids(services, "red fish") == [both.id, one.id]


def test_saving_contents_again_replaces_terms(services):
    document = save_document(services, "One whale.")
    services.catalog.save_contents(document.id, contents("Two fish.", document.id), ReadingOutcome(READY))
    assert find_document_ids(services, "whale") == []
    assert find_document_ids(services, "fish") == [document.id]
    assert count_full_text_rows(services, "whale") == 0


def test_terms_are_deleted_with_document(services):
    document = save_document(services, "One whale.")
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(delete(documents).where(documents.c.id == document.id))
    assert count_full_text_rows(services, "whale") == 0
    if services.catalog.engine.dialect.name == "sqlite":
        with write_transaction(services.catalog.engine) as connection:
            connection.execute(text("INSERT INTO chunk_words (chunk_words) VALUES ('integrity-check')"))


def test_failed_save_leaves_old_terms(services):
    document = save_document(services, "One whale.")
    new = contents("Two fish.", document.id)
    try:
        services.catalog.save_contents(
            document.id, type(new)(new.text, new.source_map, new.facts, new.chunks * 2, ()), ReadingOutcome(READY)
        )
    except Exception:
        assert find_document_ids(services, "whale") == [document.id]
        assert find_document_ids(services, "fish") == []
    else:
        raise AssertionError("the broken contents were saved")


def forget_terms(services):
    """Make the catalog one of a release without full text."""
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(delete(chunk_terms))
        connection.execute(delete(catalog_values))


def test_catalog_of_earlier_release_is_filled_once(services):
    document = save_document(services, "One whale.")
    forget_terms(services)
    assert find_document_ids(services, "whale") == []
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert find_document_ids(services, "whale") == [document.id]
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 0


def test_interrupted_filling_continues(services):
    saved = [save_document(services, "One whale.", name) for name in ("a", "b")]
    forget_terms(services)
    with write_transaction(services.catalog.engine) as connection:
        chunk_search._save_terms_version(connection, -chunk_search.TERMS_VERSION)
        key = {"document_id": saved[0].id, "pipeline": saved[0].pipeline}
        chunk_search.save_chunk_terms(connection, chunk_search.make_term_rows(key, [(0, "One whale.")]))
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert set(find_document_ids(services, "whale")) == {document.id for document in saved}


def test_terms_are_extracted_before_each_batch_is_written_and_not_for_deleted_documents(services, monkeypatch):
    save_document(services, "One whale.")
    deleted = save_document(services, "Two whales.", "b")
    forget_terms(services)
    monkeypatch.setattr(chunk_search, "MAX_VALUES_PER_QUERY", 1)

    def delete_meanwhile(text):  # which waits for a write transaction
        services.catalog.delete(deleted.id)
        return ["whale"]

    monkeypatch.setattr(chunk_search, "extract_indexed_terms", delete_meanwhile)
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1


def test_terms_of_another_version_are_replaced(services, monkeypatch):
    document = save_document(services, "One whale.")
    chunk_search.fill_missing_terms(services.catalog.engine)
    monkeypatch.setattr(chunk_search, "TERMS_VERSION", chunk_search.TERMS_VERSION + 1)
    monkeypatch.setattr(chunk_search, "extract_indexed_terms", lambda text: ["other"])
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert find_document_ids(services, "whale") == []
    assert find_document_ids(services, "other") == [document.id]


def test_rarest_terms_find_chunks_up_to_a_limit():
    limit = chunk_search.MAX_RANKED_CHUNKS
    assert chunk_search.choose_rare_terms(["a", "b", "c"], [limit, 0, 1]) == ["b", "c"]
    assert chunk_search.choose_rare_terms(["a", "b", "c"], [3, 2, limit - 5]) == ["a", "b", "c"]
    assert chunk_search.choose_rare_terms(["a", "b"], [limit + 1, limit + 1]) == ["a"]
    assert chunk_search.choose_rare_terms(["a", "b"], [0, limit + 1]) == ["a", "b"]
