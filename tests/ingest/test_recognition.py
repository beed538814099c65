"""Text of scans is recognised in the background, after the rest of a document is ready, and nothing of it is lost.

A stand-in for Tesseract, in real child processes, recognises the same words on every page.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from highlighter import tesseract
from highlighter.app import create_app
from highlighter.diagnostics import run_diagnostics
from highlighter.models import (
    AWAITS_RECOGNITION,
    NO_TEXT,
    PARTIAL,
    PIPELINE_VERSION,
    QUEUED,
    READY,
    RECOGNITION_STEP,
    UNFINISHED,
    UNSUPPORTED_KIND,
)
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.audit_verification import verify_audit
from highlighter.store.storage_errors import CatalogUnreachable
from ingest.batch import ingest_files
from ingest.libreoffice_program import PROGRAM as LIBREOFFICE_PROGRAM
from ingest.pipeline import ingest_file
from ingest.registration import register_file
from tests.ingest.child_path import set_path
from tests.ingest.fake_programs import put_on_path
from tests.ingest.page_pictures import draw_picture
from tests.ingest.readers.pdf_drawing import draw, picture
from tests.ingest.readers.test_pdf_plausibility import NONSENSE
from tests.waiting import wait_until

FILES = Path(__file__).parent / "readers" / "files"
RECOGNISED_PIPELINE = PIPELINE_VERSION + RECOGNITION_STEP
TYPED, RECOGNISED = "The board approved the budget.", "The pilot boat leaves at noon."
# The words are amid the page, where no running head stands, far apart, as those of a line are, and "noon." is doubtful. Each page is noted when it is recognised.
PROGRAM = """#!{python} -SE
import os, pathlib, sys, time
folder = pathlib.Path({folder!r})
if "--list-langs" in sys.argv:
    print("List of languages:"); print({languages!r}); sys.exit()
if "0" in sys.argv:
    pathlib.Path("out.osd").write_text(
        "Rotate: 0\\nOrientation confidence: 9\\nScript: {script}\\nScript confidence: 9\\n")
    sys.exit()
with (folder / "runs").open("a") as runs:
    runs.write("page ")
while (folder / "hold").exists():
    time.sleep(0.05)
words = "".join(
    "<span class='ocrx_word' title='bbox %d 1300 %d 1350; x_wconf %d'>%s</span>"
    % (300 + 260 * i, 540 + 260 * i, 40 if word == "noon." else 90, word) for i, word in enumerate({words!r}.split()))
line = "<span class='ocr_line' title='bbox 300 1300 1900 1350; baseline 0 -10; x_size 50'>%s</span>" % words
pathlib.Path("out.hocr").write_text("<html><body><div class='ocr_page'>%s</div></body></html>" % line)
"""


def _scan(canvas):
    canvas.drawImage(picture(), 60, 100, 400, 600)


def _type(text=TYPED):
    return lambda canvas: canvas.drawString(60, 760, text)


def _draw_nonsense(canvas):
    nonsense = next(text for text in NONSENSE.values() if text.isascii())
    for row, start in enumerate(range(0, len(nonsense), 80)):
        canvas.drawString(60, 760 - 14 * row, nonsense[start : start + 80])


@pytest.fixture
def set_child_path(process_pool):
    """A function that gives the child process of all tests the search path of this process."""
    before = os.environ["PATH"]
    yield lambda: process_pool.run(set_path, os.environ["PATH"])
    process_pool.run(set_path, before)


@pytest.fixture
def install(tmp_path, monkeypatch, set_child_path):
    """Install the stand-in, and return the folder in which it notes its runs."""

    def install(languages="eng\nosd", script="Latin", words=RECOGNISED):
        text = PROGRAM.format(
            python=sys.executable, folder=str(tmp_path), languages=languages, script=script, words=words
        )
        put_on_path(tesseract.PROGRAM, text, tmp_path / f"bin-{len(list(tmp_path.glob('bin-*')))}", monkeypatch)
        set_child_path()
        return tmp_path

    return install


@pytest.fixture
def open_services(tmp_path, embedder, set_child_path):
    opened = []

    def open_services(**settings):
        services = Services(Settings(data_dir=tmp_path / "data", ocr=settings.pop("ocr", True), **settings), embedder)
        set_child_path()
        opened.append(services)
        return services

    yield open_services
    for services in opened:
        services.close()


@pytest.fixture
def without_tesseract(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


def wait_for_recognition(services, document_id):
    def has_ended():
        document = services.catalog.document(document_id)
        return document.state not in UNFINISHED and document.recognition != AWAITS_RECOGNITION

    wait_until(has_ended)
    return services.catalog.document(document_id)


def upload(services, path):
    with path.open("rb") as file:
        return services.ingest_queue.enqueue_upload(file, path.name)


def count_runs(folder):
    return len((folder / "runs").read_text().split()) if (folder / "runs").exists() else 0


@pytest.mark.slow
def test_typed_pages_are_ready_before_the_scans_and_links_to_them_stay_right(
    install, own_children, open_services, tmp_path
):
    folder, services = install(), open_services()
    (folder / "hold").touch()
    id = upload(services, draw(tmp_path / "a.pdf", _scan, _type(), _scan)).id
    wait_until(lambda: count_runs(folder) == 1)
    early = services.catalog.document(id)
    assert (early.state, early.progress) == (PARTIAL, ("recognising", 0, 2))
    client, early_chunk = create_app(services).test_client(), services.catalog.chunks(early)[0]
    page = client.get(f"/documents/{id}").text
    assert "recognising text: page 1 of 2" in page
    assert "You can use the other pages already." in page
    assert client.get(f"/api/v1/documents/{id}").get_json()["progress"] == {
        "stage": "recognising",
        "done": 0,
        "total": 2,
    }
    (folder / "hold").unlink()
    document = wait_for_recognition(services, id)
    assert (document.state, document.pipeline, document.progress) == (READY, RECOGNISED_PIPELINE, None)
    assert document.reason.startswith("The text of pages 1, 3 was recognised from images (OCR), with a confidence of 8")
    assert services.catalog.text(document).split("\n\n") == [RECOGNISED, TYPED, RECOGNISED]
    # The link was made before the recognition, and its span is one of the text at that time.
    old = replace(document, pipeline=early.pipeline)
    assert services.catalog.text(old) == TYPED
    span = f"start={early_chunk.start}&end={early_chunk.end}&v={early_chunk.pipeline}"
    assert TYPED in client.get(f"/documents/{id}/chunks/0?{span}").text
    with services.catalog.engine.connect() as connection:
        assert verify_audit(connection, files=services.files).discrepancies == ()
    assert not services.files.recognition_folder(id).exists()


@pytest.mark.slow
def test_recognised_text_is_shown_as_such_wherever_it_is_used(install, open_services, tmp_path):
    install()
    services = open_services()
    document = services.ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _scan))
    client = create_app(services).test_client()
    text = client.get(f"/documents/{document.id}/chunks/0").text
    assert "Text recognised from an image (OCR), with a confidence of 80%." in text
    assert 'title="Perhaps misread: recognised with a confidence of 40%">noon.</span>' in text
    pages = client.get(f"/documents/{document.id}/chunks/0?view=page").text
    assert 'aria-label="Perhaps misread: recognised with a confidence of 40%"' in pages
    sentences = client.get(f"/api/v1/documents/{document.id}/sentences").get_json()["sentences"]
    noon = RECOGNISED.index("noon.")
    assert [(sentence["recognition"], sentence["doubtful_words"]) for sentence in sentences] == [
        (pytest.approx(0.8, abs=0.03), [{"start": noon, "end": noon + 5, "confidence": 0.4}])
    ]
    question = {"question": "When does the pilot boat leave?"}
    passage = {**question, "document_id": document.id, "chunk_index": 0}
    scored = client.post("/api/v1/highlight", json=passage).get_json()["sentences"]
    (hit,) = client.post("/api/v1/search", json=question).get_json()["hits"]
    for fields in (*scored, *hit["sentences"]):
        assert fields["recognition"] == sentences[0]["recognition"]
        assert fields["doubtful_words"] == sentences[0]["doubtful_words"]
    answer = client.post("/api/v1/answers", json=question).get_json()
    assert [citation["recognition"] for citation in answer["citations"]] == [pytest.approx(0.8, abs=0.03)]
    checked = {"answer": RECOGNISED, "sources": [{"document_id": document.id}]}
    warnings = client.post("/api/v1/check", json=checked).get_json()["warnings"]
    assert warnings == [
        "The text of “a.pdf” was recognised from images (OCR), with a confidence of 80%. "
        "Compare names and numbers with the page."
    ]
    with client.get(f"/documents/{document.id}/original") as original:
        assert original.get_data() == (tmp_path / "a.pdf").read_bytes()


@pytest.mark.slow
def test_recognition_goes_on_after_a_restart_with_the_next_page(install, own_children, open_services, tmp_path):
    folder, services = install(), open_services()
    id = register_file(draw(tmp_path / "a.pdf", _scan, _scan, _scan), "a.pdf", services).document.id
    services.ingest_queue.resume_unfinished()
    wait_until(lambda: (services.files.recognition_folder(id) / "1.json").exists())
    (folder / "hold").touch()
    services.close()
    done = len(list(services.files.recognition_folder(id).glob("*.json")))
    (folder / "runs").unlink()
    (folder / "hold").unlink()
    services = open_services()
    assert services.catalog.document(id).state in UNFINISHED
    services.ingest_queue.finish_unfinished()
    assert services.catalog.document(id).state == READY
    assert (count_runs(folder), done < 3) == (3 - done, True)


def test_scan_waits_for_a_lost_database_and_has_not_failed(install, open_services, tmp_path, monkeypatch, caplog):
    install()
    services = open_services()

    def lose_database(*_):
        raise CatalogUnreachable

    monkeypatch.setattr(services.catalog, "set_recognition_progress", lose_database)
    document = services.ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _scan))
    assert (document.state in UNFINISHED, caplog.records[-1].levelname) == (True, "WARNING")
    monkeypatch.undo()
    services.ingest_queue.finish_unfinished()
    assert services.catalog.document(document.id).state == READY


def test_deletion_ends_recognition(install, own_children, open_services, tmp_path):
    folder, services = install(), open_services()
    (folder / "hold").touch()
    id = upload(services, draw(tmp_path / "a.pdf", *[_scan] * 9)).id
    wait_until(lambda: count_runs(folder) == 1)
    services.delete_document(id)
    (folder / "hold").unlink()
    services.ingest_queue.close()
    services.ingest_queue.join(30)
    assert count_runs(folder) <= 2
    assert not services.files.recognition_folder(id).parent.exists()


def test_scan_waits_for_tesseract_and_is_recognised_once_it_is_installed(
    without_tesseract, request, open_services, tmp_path
):
    services = open_services()
    path = draw(tmp_path / "a.pdf", _scan)
    document = services.ingest_queue.ingest_file(path)
    advice = "To read scans, install Tesseract (Debian, Ubuntu: apt-get install tesseract-ocr)."
    assert (document.state, document.reason) == (NO_TEXT, f"This is a scan without selectable text. {advice}")
    report = run_diagnostics(services)
    assert report.recognition == advice
    assert report.notes == [f"1 document with pages without text: {advice} Then --fix recognises them."]
    request.getfixturevalue("install")()
    assert services.ingest_queue.finish_unfinished() == 1
    recognised = services.catalog.document(document.id)
    assert (recognised.state, services.catalog.text(recognised)) == (READY, RECOGNISED)
    assert run_diagnostics(services).notes == []


@pytest.mark.parametrize("ocr", [True, False])
def test_another_copy_is_advised_only_where_no_text_is_recognised(install, own_children, open_services, tmp_path, ocr):
    folder, services = install(), open_services(ocr=ocr)
    (folder / "hold").touch()
    id = upload(services, draw(tmp_path / "a.pdf", _type(), _draw_nonsense)).id
    wait_until(lambda: services.catalog.document(id).state == PARTIAL)
    warning = "Page 2: the extracted characters form no words, so the text is probably wrong."
    advice = " Upload another copy, or run OCR on it first. Text recognition is switched off (OCR=0)."
    assert services.catalog.document(id).reason == (warning if ocr else warning + advice)
    (folder / "hold").unlink()


def test_page_in_a_script_without_data_names_the_package_and_waits_for_it(install, open_services, tmp_path):
    install(script="Cyrillic")
    services = open_services()
    document = services.ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _type(), _scan))
    missing = "Page 2: the data to read Cyrillic script is missing: apt-get install tesseract-ocr-rus."
    assert (document.state, document.reason) == (PARTIAL, missing)
    assert services.catalog.text(document) == TYPED
    services.close()
    folder, services = install("rus\nosd", script="Cyrillic", words="Лодка лоцмана выходит."), open_services()
    services.ingest_queue.finish_unfinished()
    read = services.catalog.document(document.id)
    assert (read.state, read.pipeline) == (READY, RECOGNISED_PIPELINE + RECOGNITION_STEP)
    assert services.catalog.text(read) == f"{TYPED}\n\nЛодка лоцмана выходит."
    assert count_runs(folder) == 1


@pytest.mark.parametrize(
    ("settings", "reason"),
    [({"ocr": False}, "This is a scan without selectable text. Text recognition is switched off (OCR=0).")],
)
def test_recognition_can_be_switched_off(install, open_services, tmp_path, settings, reason):
    folder = install()
    document = open_services(**settings).ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _scan))
    assert (document.state, document.reason, count_runs(folder)) == (NO_TEXT, reason, 0)


@pytest.mark.parametrize(
    ("name", "kind", "media_type"),
    [
        ("scan.png", "png", "image/png"),
        ("photo.jpeg", "jpg", "image/jpeg"),
        ("fax.tif", "tiff", "image/tiff"),
        ("screen.gif", "gif", "image/gif"),
        ("screen.webp", "webp", "image/webp"),
    ],
)
def test_picture_of_a_page_is_recognised_and_shown_as_a_scan_is(
    install, open_services, tmp_path, name, kind, media_type
):
    folder, services, path = install(), open_services(), tmp_path / name
    more = {"save_all": True, "append_images": [draw_picture(scale=1)]} if kind == "tiff" else {}
    draw_picture(scale=1).save(path, **more)
    document = services.ingest_queue.ingest_file(path)
    pages = 2 if more else 1
    assert (document.kind, document.state, document.pages, count_runs(folder)) == (kind, READY, pages, pages)
    assert services.catalog.text(document) == "\n\n".join([RECOGNISED] * pages)
    client, api = create_app(services).test_client(), f"/api/v1/documents/{document.id}"
    span = {"start": 0, "end": len(RECOGNISED)}
    assert client.get(f"{api}/rectangles", query_string=span).get_json()["rectangles"][0]["page"] == 1
    for address in ("pdf", "chunks/0.pdf"):
        with client.get(f"/documents/{document.id}/{address}") as response:
            assert response.get_data().startswith(b"%PDF")
    with client.get(f"/documents/{document.id}/original") as original:
        assert (original.get_data(), original.mimetype) == (path.read_bytes(), media_type)
        assert original.headers["Content-Disposition"].startswith("attachment" if kind == "tiff" else "inline")
    assert "(generated)" not in client.get(f"/documents/{document.id}").text
    shown = "pages 1–2 of 2" if kind == "tiff" else "page 1 of 1"
    assert f"{shown} · section" in client.get(f"/documents/{document.id}/chunks/0?view=page").text
    assert services.ingest_queue.ingest_file(path).pipeline == RECOGNISED_PIPELINE
    assert count_runs(folder) == pages


def test_animation_says_that_only_its_first_picture_is_read(install, open_services, tmp_path):
    install()
    services, path = open_services(), tmp_path / "screen.gif"
    draw_picture("One", scale=1).save(path, save_all=True, append_images=[draw_picture("Two", scale=1)])
    document = services.ingest_queue.ingest_file(path)
    assert (document.state, document.pages) == (READY, 1)
    assert "Only the first picture of the animation is read." in document.reason


def test_picture_waits_for_tesseract(without_tesseract, request, open_services, tmp_path):
    services = open_services()
    draw_picture(scale=1).save(tmp_path / "scan.png")
    document = services.ingest_queue.ingest_file(tmp_path / "scan.png")
    advice = "To read scans, install Tesseract (Debian, Ubuntu: apt-get install tesseract-ocr)."
    assert (document.state, document.reason) == (NO_TEXT, f"This is a scan without selectable text. {advice}")
    assert len(run_diagnostics(services).notes) == 1
    request.getfixturevalue("install")()
    assert services.ingest_queue.finish_unfinished() == 1
    assert services.catalog.document(document.id).state == READY


def test_picture_that_an_earlier_release_did_not_read_is_read_when_it_is_uploaded_again(
    install, open_services, tmp_path
):
    install()
    services = open_services()
    draw_picture(scale=1).save(tmp_path / "scan.png")
    document = register_file(tmp_path / "scan.png", "scan.png", services).document
    services.catalog.set_kind(document.id, "")
    services.catalog.set_state(document.id, UNSUPPORTED_KIND, "Files of this kind are not read.")
    read = services.ingest_queue.ingest_file(tmp_path / "scan.png")
    assert (read.id, read.kind, read.state) == (document.id, "png", READY)


def test_text_that_means_nothing_is_replaced_by_recognised_text(install, open_services, tmp_path):
    install()
    services = open_services()
    document = services.ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _draw_nonsense))
    assert (document.state, services.catalog.text(document)) == (READY, RECOGNISED)


def test_command_recognises_scans_after_all_other_files(install, open_services, process_pool, tmp_path):
    install()
    services, done = open_services(), []
    paths = [draw(tmp_path / "scan.pdf", _scan), draw(tmp_path / "typed.pdf", _type())]
    ingest_files(
        paths, services, "default", {}, 1, lambda: lambda *_: None,
        lambda path, outcome: done.append((path.name, outcome.document.state)),
    )  # fmt: skip
    assert done == [("typed.pdf", READY), ("scan.pdf", READY)]
    again = ingest_file(paths[0], services, process_pool)
    assert (again.was_known, again.document.pipeline) == (True, RECOGNISED_PIPELINE)


@pytest.mark.parametrize("way", ["upload", "wait", "command"])
def test_scans_attached_to_an_email_are_recognised_with_it(install, open_services, tmp_path, way):
    install()
    services, email, path = open_services(), EmailMessage(), tmp_path / "a.eml"
    email["From"], email["Subject"], email["Message-ID"] = "a@harbour.example", "Report", "<1@harbour.example>"
    email.set_content("The report of the engineer is attached.")
    scan = draw(tmp_path / "a.pdf", _scan).read_bytes()
    email.add_attachment(scan, maintype="application", subtype="pdf", filename="scan.pdf")
    draw_picture(scale=1).save(tmp_path / "photo.jpg")
    email.add_attachment((tmp_path / "photo.jpg").read_bytes(), "image", "jpeg", filename="photo.jpg")
    path.write_bytes(bytes(email))
    if way == "upload":
        upload(services, path)
    elif way == "wait":
        services.ingest_queue.ingest_file(path)
    else:
        ingest_files([path], services, "default", {}, 1, lambda: lambda *_: None, lambda *_: None)

    def list_states():
        return {document.name: (document.state, document.pipeline) for document in services.catalog.documents()}

    if way == "upload":
        wait_until(lambda: list(list_states().values()).count((READY, RECOGNISED_PIPELINE)) == 2)
    assert list_states() == {
        "a.eml": (READY, PIPELINE_VERSION),
        "a.eml – scan.pdf": (READY, RECOGNISED_PIPELINE),
        "a.eml – photo.jpg": (READY, RECOGNISED_PIPELINE),
    }


def test_pictures_on_slides_are_not_recognised_as_the_pages_are_not_those_of_the_file(
    install, open_services, tmp_path, monkeypatch
):
    folder, slides = install(), draw(tmp_path / "slides.pdf", _type(), _scan, _scan)
    program = f"#!{sys.executable} -SE\nimport shutil, sys\nshutil.copy({str(slides)!r}, sys.argv[-1][:-4] + 'pdf')\n"
    put_on_path(LIBREOFFICE_PROGRAM, program, tmp_path / "bin-office", monkeypatch)
    services = open_services()
    document = services.ingest_queue.ingest_file(FILES / "briefing.pptx")
    assert (document.state, document.recognition, count_runs(folder)) == (PARTIAL, "", 0)
    assert document.reason == "Pages 2-3 of 3: scans without selectable text."
    assert services.catalog.text(document) == TYPED


def test_scan_that_waits_has_no_text_when_tesseract_is_gone(install, open_services, tmp_path, process_pool):
    install()
    services = open_services()
    waiting = ingest_file(draw(tmp_path / "a.pdf", _scan), services, process_pool).document
    assert (waiting.state, waiting.recognition) == (QUEUED, AWAITS_RECOGNITION)
    services.close()
    services = open_services(ocr=False)
    services.ingest_queue.finish_unfinished()
    assert services.catalog.document(waiting.id).state == NO_TEXT


def test_picture_without_letters_says_that_none_were_recognised(install, open_services, tmp_path):
    install(words="")
    document = open_services().ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _scan))
    reason = "This is a scan without selectable text. No text was recognised on it."
    assert (document.state, document.reason) == (NO_TEXT, reason)


def test_unsure_recognition_leaves_a_document_as_it_is(install, open_services, tmp_path):
    install(words="noon. noon. noon.")
    services = open_services()
    document = services.ingest_queue.ingest_file(draw(tmp_path / "a.pdf", _type(), _scan))
    assert (document.state, document.pipeline, document.progress) == (READY, PIPELINE_VERSION, None)
    assert services.catalog.text(document) == TYPED
