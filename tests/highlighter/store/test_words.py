from sqlalchemy import delete, text

from highlighter.models import READY
from highlighter.store import words
from highlighter.store.database import writing
from highlighter.store.schema import chunk_terms, documents, marks
from highlighter.store.scope import Scope
from highlighter.terms import terms
from tests.highlighter.store.test_catalog import contents


def kept(services, words="One fish. Two fish.", name="fish.txt"):
    document = services.catalog.register("default", name.ljust(64, "0"), name, "txt", 19)
    services.catalog.keep(document.id, contents(words, document.id), READY)
    return document


def holders(services, question):
    return [key.document_id for key in words.holding(services.catalog.engine, terms(question), Scope(), 10)]


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
    services.catalog.keep(document.id, contents("Two fish.", document.id), READY)
    assert holders(services, "whale") == []
    assert holders(services, "fish") == [document.id]
    assert in_full_text(services, "whale") == 0


def test_words_go_with_their_document(services):
    document = kept(services, "One whale.")
    with writing(services.catalog.engine) as connection:
        connection.execute(delete(documents).where(documents.c.id == document.id))
    assert in_full_text(services, "whale") == 0
    with writing(services.catalog.engine) as connection:
        connection.execute(text("INSERT INTO chunk_words (chunk_words) VALUES ('integrity-check')"))


def test_a_failed_keep_leaves_the_words_that_were_there(services):
    document = kept(services, "One whale.")
    twice = contents("Two fish.", document.id)
    try:
        services.catalog.keep(
            document.id, type(twice)(twice.text, twice.source_map, twice.facts, twice.chunks * 2, ()), READY
        )
    except Exception:
        assert holders(services, "whale") == [document.id]
        assert holders(services, "fish") == []
    else:
        raise AssertionError("it was kept")


def forget(services):
    """As a catalog of a release without full text."""
    with writing(services.catalog.engine) as connection:
        connection.execute(delete(chunk_terms))
        connection.execute(delete(marks))


def test_a_catalog_of_an_earlier_release_is_filled_once(services):
    document = kept(services, "One whale.")
    forget(services)
    assert holders(services, "whale") == []
    assert words.fill(services.catalog.engine) == 1
    assert holders(services, "whale") == [document.id]
    assert words.fill(services.catalog.engine) == 0


def test_filling_that_was_broken_off_goes_on(services):
    documents_made = [kept(services, "One whale.", name) for name in ("a", "b")]
    forget(services)
    with writing(services.catalog.engine) as connection:
        words._mark(connection, -words.TERMS)
        words.keep(
            connection,
            {"document_id": documents_made[0].id, "pipeline": documents_made[0].pipeline},
            [(0, "One whale.")],
        )
    assert words.fill(services.catalog.engine) == 1
    assert set(holders(services, "whale")) == {document.id for document in documents_made}


def test_terms_made_another_way_are_made_again(services, monkeypatch):
    document = kept(services, "One whale.")
    words.fill(services.catalog.engine)
    monkeypatch.setattr(words, "TERMS", words.TERMS + 1)
    monkeypatch.setattr(words, "indexed_terms", lambda text: ["other"])
    assert words.fill(services.catalog.engine) == 1
    assert holders(services, "whale") == []
    assert holders(services, "other") == [document.id]
