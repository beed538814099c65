import pytest

from highlighter import Highlighter
from highlighter.errors import BadRequest, NotFound
from highlighter.notes.note_book import NoteContent
from tests.conftest import NOTE


@pytest.fixture
def library(tmp_path, embedder):
    with Highlighter(tmp_path / "data") as library:
        library.services.embedder = embedder
        yield library


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers" / "deep").mkdir(parents=True)
    (tmp_path / "papers" / "deep" / "note.txt").write_text(NOTE, encoding="utf-8")
    return tmp_path / "papers"


def highlighted_texts(evidence):
    return [scored.sentence.text for scored in evidence.sentences if scored.highlighted]


def test_ingested_folder_gives_highlighted_sentence(library, folder):
    (document,) = library.ingest(folder)
    assert library.documents() == [document]
    (chunk,) = library.chunks(document.id)
    question, answer = "How much is a ticket?", ["Tickets cost four pounds and are sold on board."]
    assert highlighted_texts(library.highlight(question, chunk=chunk)) == answer
    assert highlighted_texts(library.highlight(question, chunk=(document.id, 0))) == answer
    assert highlighted_texts(library.highlight(question, NOTE)) == answer


def test_documents_are_chosen_by_metadata(library, folder):
    (document,) = library.ingest(folder)
    assert library.update_metadata(document.id, {"tags": ["signed"]}).meta == {"tags": ["signed"]}
    question = "How much is a ticket?"
    for where, is_found in (
        ({"tags": "signed"}, True),
        ({"document_id": document.id}, True),
        ({"tags": "other"}, False),
    ):
        assert bool(library.documents(where=where)) == bool(library.search(question, where=where)) == is_found
        assert library.ask(question, filters=where).refused != is_found


def test_ingested_document_is_found(library, folder):
    (document,) = library.ingest(folder)
    (hit,) = library.search("How much is a ticket?")
    assert (hit.document, hit.sentences[0].sentence.text) == (
        document,
        "Tickets cost four pounds and are sold on board.",
    )
    assert library.search("How much is a ticket?", where={"collection": "other"}) == ()


def test_span_has_rectangle_on_page(library, folder):
    (document,) = library.ingest(folder)
    start = NOTE.index("Tickets cost")
    (box,) = library.rectangles(document.id, start, start + len("Tickets cost"))
    assert (box.page, box.x0 < box.x1, box.y0 < box.y1) == (1, True, True)
    for span in ((5, 5), (9, 2), (-1, 4), (0, 10_000)):
        with pytest.raises(BadRequest, match="end"):
            library.rectangles(document.id, *span)


def test_highlight_needs_text_or_existing_chunk(library):
    with pytest.raises(ValueError, match="either a text or a chunk"):
        library.highlight("who?")
    with pytest.raises(NotFound, match="Document nobody was not found"):
        library.highlight("who?", chunk=("nobody", 0))


def test_settings_are_given_by_name(tmp_path):
    with Highlighter(tmp_path, highlight_threshold=0.9) as library:
        assert library.services.settings.highlight_threshold == 0.9


def test_file_of_unknown_kind_in_folder_is_logged_with_reason(tmp_path, caplog):
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "note.txt").write_text("The ferry leaves at seven in the morning.", encoding="utf-8")
    (folder / "plan.dwg").write_bytes(b"PK\x03\x04")
    with Highlighter(tmp_path / "data") as highlighter:
        assert [document.name for document in highlighter.ingest(folder)] == ["note.txt"]
    (logged,) = [record.getMessage() for record in caplog.records if "plan.dwg" in record.getMessage()]
    assert "Files of this kind (.dwg) are skipped in folders" in logged


def test_note_is_made_changed_deleted_and_restored(library, folder):
    (document,) = library.ingest(folder)
    words = "Tickets cost four pounds"
    made = library.add_note(document.id, words, "Dear.", colour="green")
    assert [placed.note for placed in library.notes(document.id)] == [made.note]
    library.update_note(made.note.id, NoteContent(text="Too dear."))
    assert [(placed.text, placed.note.colour) for placed in library.notes(words="TOO")] == [(words, "yellow")]
    library.delete_note(made.note.id)
    assert library.notes() == []
    assert library.restore_note(made.note.id).text == words
