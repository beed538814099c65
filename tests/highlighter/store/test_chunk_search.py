from sqlalchemy import delete, text

from highlighter.models import READY
from highlighter.store import chunk_search
from highlighter.store.chunk_search import SearchScope
from highlighter.store.database import write_transaction
from highlighter.store.schema import catalog_values, chunk_terms, documents
from highlighter.text.terms import extract_terms
from tests.highlighter.store.test_catalog import contents


def kept(services, words="One fish. Two fish.", name="fish.txt"):
    document = services.catalog.register("default", name.ljust(64, "0"), name, "txt", 19)
    services.catalog.save_contents(document.id, contents(words, document.id), READY)
    return document


def holders(services, question):
    return [
        key.document_id
        for key in chunk_search.search_full_text(services.catalog.engine, extract_terms(question), SearchScope(), 10)
    ]


def in_full_text(services, term):
    with services.catalog.engine.connect() as connection:
        query = text("SELECT count(*) FROM chunk_words WHERE chunk_words MATCH :term")
        return connection.execute(query, {"term": f'"{term}"'}).scalar()


def test_the_words_of_a_chunk_are_found_in_any_form(services):
    document = kept(services, "The ferries were leaving.")
    assert holders(services, "ferry leaves") == [document.id]
    assert holders(services, "whale") == []


def test_numbers_keep_their_points(services):
    document = kept(services, "Clause 4.2.1 sets the price at 4,200 pounds; it isn't final.")
    for term in ("4.2.1", "4,200", "isn't"):
        assert holders(services, term) == [document.id], term
    assert holders(services, "4.2") == []


def test_any_character_of_chinese_is_found_by_itself_the_last_of_a_run_too(services):
    document = kept(services, "員工放假。公司休息")
    for character in "員工放假公司休息":
        assert holders(services, character) == [document.id], character
    assert holders(services, "放假") == [document.id]
    assert holders(services, "假公") == []  # no word across a full stop


def test_a_chunk_that_holds_more_of_the_words_comes_first(services):
    both, one = kept(services, "A red fish swims."), kept(services, "A red house stands. It is old.", "house")
    assert holders(services, "red fish") == [both.id, one.id]


def test_what_is_kept_anew_loses_its_old_words(services):
    document = kept(services, "One whale.")
    services.catalog.save_contents(document.id, contents("Two fish.", document.id), READY)
    assert holders(services, "whale") == []
    assert holders(services, "fish") == [document.id]
    assert in_full_text(services, "whale") == 0


def test_words_go_with_their_document(services):
    document = kept(services, "One whale.")
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(delete(documents).where(documents.c.id == document.id))
    assert in_full_text(services, "whale") == 0
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(text("INSERT INTO chunk_words (chunk_words) VALUES ('integrity-check')"))


def test_a_failed_keep_leaves_the_words_that_were_there(services):
    document = kept(services, "One whale.")
    twice = contents("Two fish.", document.id)
    try:
        services.catalog.save_contents(
            document.id, type(twice)(twice.text, twice.source_map, twice.facts, twice.chunks * 2, ()), READY
        )
    except Exception:
        assert holders(services, "whale") == [document.id]
        assert holders(services, "fish") == []
    else:
        raise AssertionError("it was kept")


def forget(services):
    """As a catalog of a release without full text."""
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(delete(chunk_terms))
        connection.execute(delete(catalog_values))


def test_a_catalog_of_an_earlier_release_is_filled_once(services):
    document = kept(services, "One whale.")
    forget(services)
    assert holders(services, "whale") == []
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert holders(services, "whale") == [document.id]
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 0


def test_filling_that_was_broken_off_goes_on(services):
    documents_made = [kept(services, "One whale.", name) for name in ("a", "b")]
    forget(services)
    with write_transaction(services.catalog.engine) as connection:
        chunk_search._save_terms_version(connection, -chunk_search.TERMS_VERSION)
        chunk_search.save_chunk_terms(
            connection,
            {"document_id": documents_made[0].id, "pipeline": documents_made[0].pipeline},
            [(0, "One whale.")],
        )
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert set(holders(services, "whale")) == {document.id for document in documents_made}


def test_terms_made_another_way_are_made_again(services, monkeypatch):
    document = kept(services, "One whale.")
    chunk_search.fill_missing_terms(services.catalog.engine)
    monkeypatch.setattr(chunk_search, "TERMS_VERSION", chunk_search.TERMS_VERSION + 1)
    monkeypatch.setattr(chunk_search, "extract_indexed_terms", lambda text: ["other"])
    assert chunk_search.fill_missing_terms(services.catalog.engine) == 1
    assert holders(services, "whale") == []
    assert holders(services, "other") == [document.id]
