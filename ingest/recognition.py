"""Recognise the text of a document's scanned pages, page by page, after everything else of it is ready."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from highlighter import tesseract
from highlighter.errors import UnreadableFile
from highlighter.locale import N_, join_messages
from highlighter.models import (
    EMAIL_KINDS,
    FAILED,
    NO_TEXT,
    PICTURE_KINDS,
    PIPELINE_VERSION,
    READABLE,
    RECOGNISING,
    RECOGNITION_STEP,
    UNFINISHED,
    Document,
)
from highlighter.settings import Settings
from highlighter.store.attachments import list_attachments
from highlighter.store.catalog import DocumentDeleted
from highlighter.store.storage_errors import FilesUnavailable, find_disk_problem, is_catalog_unreachable, is_disk_full
from highlighter.store.verified_files import get_verified_original
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed
from ingest.context import ProcessingContext
from ingest.document_writer import ProgressCallback, save_prepared_document
from ingest.preparation import DEFAULT_OFFICE_SECONDS, SourceFile, convert_picture_file, prepare_document
from ingest.readers.ocr import RecognisedPage, find_unread_pages, recognise_page

# By the clock, for one page; less than the child process has, so that the reason given is this one.
PAGE_SECONDS_PER_CPU_SECOND = 10


def awaits_recognition(document: Document, settings: Settings) -> bool:
    """Return whether pages of the document can be recognised now that were not tried with what is installed."""
    if not tesseract.is_available(settings) or document.recognition == tesseract.describe_engine(settings):
        return False
    if document.state == NO_TEXT:  # perhaps read before Tesseract was installed, or by a release that noted no more
        return document.has_own_pages
    return document.recognition != "" and document.state in READABLE | UNFINISHED


def list_waiting(document: Document, services: ProcessingContext) -> list[Document]:
    """Return which of a document and its attachments await recognition."""
    attachments = list_attachments(services.catalog.engine, document) if document.kind in EMAIL_KINDS else []
    return [waiting for waiting in (document, *attachments) if awaits_recognition(waiting, services.settings)]


def recognise_document(
    document: Document, services: ProcessingContext, pool: ProcessPool, progress: ProgressCallback
) -> bool:
    """Recognise the pages without text, and save the document with the recognised words as another reading of it.

    Killed at any moment and called again, it goes on with the next page. Returns False, and does nothing, while another
    process does it.
    """
    with services.files.try_lock_recognition(document.id) as is_free:
        current = services.catalog.document(document.id)
        if not is_free:
            return False
        if current is None or current.state == NO_TEXT or not awaits_recognition(current, services.settings):
            return True
        try:
            _recognise_and_save(current, services, pool, progress)
        except (ProcessPoolClosed, DocumentDeleted):
            raise
        except UnreadableFile as err:
            _end_without_text(current, services, err.state, err.detail)
        except Exception as err:
            if is_disk_full(err) or isinstance(err, FilesUnavailable) or is_catalog_unreachable(err) or pool.closed:
                raise
            reason = N_("The text of the scans could not be recognised ({error}).", error=type(err).__name__)
            _end_without_text(current, services, FAILED, reason)
            raise
    return True


def _recognise_and_save(
    document: Document, services: ProcessingContext, pool: ProcessPool, progress: ProgressCallback
) -> None:
    work = services.files.create_work_folder()
    try:
        get_pdf, note = _prepare_pdf(document, services, pool, work)
        _recognise_pdf(document, get_pdf, note, services, pool, progress)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _prepare_pdf(
    document: Document, services: ProcessingContext, pool: ProcessPool, work: Path
) -> tuple[Callable[[], Path], str]:
    """Return what gets the PDF of a document: the file itself, or the one that is made of a picture, with a note about it."""

    def get_original() -> Path:
        return get_verified_original(services.files, document)  # a local copy may have been evicted meanwhile

    if document.kind not in PICTURE_KINDS:
        return get_original, ""
    pdf = work / "picture.pdf"
    note: str = pool.run(convert_picture_file, get_original(), pdf)
    return (lambda: pdf), note


def _recognise_pdf(
    document: Document,
    get_pdf: Callable[[], Path],
    note: str,
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback,
) -> None:
    numbers: tuple[int, ...] = pool.run(find_unread_pages, get_pdf())
    pages = tuple(_recognise_pages(document, get_pdf, numbers, services, pool, progress))
    if not any(page.lines or page.problem for page in pages):  # pictures without letters, or blank
        reason = join_messages([document.reason, N_("No text was recognised on it.") if numbers else ""])
        raise UnreadableFile(NO_TEXT, reason)
    engine, work = tesseract.describe_engine(services.settings), services.files.create_work_folder()
    try:
        pipeline = _choose_pipeline(document, services, engine)
        file = SourceFile(get_pdf(), "pdf", document.name)
        prepared = pool.run(prepare_document, file, document.id, pipeline, work, DEFAULT_OFFICE_SECONDS, pages)
        prepared = replace(prepared, note=join_messages([note, prepared.note]))
        prepared.facts["recognition"]["engine"] = engine
        failed_with = engine if any(page.problem for page in pages) else ""
        with services.files.lock_document(document.id):
            if services.catalog.document(document.id) is None:
                raise DocumentDeleted
            save_prepared_document(document, prepared, services, work, _ignore_progress, pipeline, failed_with)
    except DocumentDeleted:
        services.files.remove_generated_files(document.id)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(services.files.recognition_folder(document.id), ignore_errors=True)


def _recognise_pages(
    document: Document,
    get_pdf: Callable[[], Path],
    numbers: tuple[int, ...],
    services: ProcessingContext,
    pool: ProcessPool,
    progress: ProgressCallback,
) -> Iterator[RecognisedPage]:
    """Yield the pages, each saved as soon as it is recognised."""
    folder, settings = services.files.recognition_folder(document.id), services.settings
    engine, languages = tesseract.describe_engine(settings), ""
    for done, number in enumerate(numbers):
        progress(RECOGNISING, done, len(numbers))
        if services.catalog.document(document.id) is None:
            raise DocumentDeleted
        saved = folder / f"{number}.json"
        page = _load_page(saved, engine)
        if page is None:
            if problem := find_disk_problem(services.files.scratch):
                raise problem
            page = _recognise_page(get_pdf(), number, services, pool, languages)
            folder.mkdir(parents=True, exist_ok=True)
            partial = saved.with_suffix(".part")
            partial.write_text(json.dumps({"engine": engine, "page": page.to_json()}), encoding="utf-8")
            partial.replace(saved)
        languages = page.languages if page.lines else languages
        yield page


def _recognise_page(
    pdf: Path, number: int, services: ProcessingContext, pool: ProcessPool, preferred: str
) -> RecognisedPage:
    settings, work = services.settings, services.files.create_work_folder()
    try:
        page: RecognisedPage = pool.run(
            recognise_page,
            pdf,
            number,
            work,
            settings.read_seconds * PAGE_SECONDS_PER_CPU_SECOND,
            settings.ocr_languages,
            preferred,
        )
    except UnreadableFile as err:  # the page is too large for a child process, or ends it
        return RecognisedPage.unread(number, err.detail)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return page


def _load_page(saved: Path, engine: str) -> RecognisedPage | None:
    """Return a page that was recognised before this process started; None unless the same engine did."""
    try:
        content = json.loads(saved.read_text(encoding="utf-8"))
        return RecognisedPage.from_json(content["page"]) if content["engine"] == engine else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _choose_pipeline(document: Document, services: ProcessingContext, engine: str) -> int:
    """Return the pipeline of a new reading: another one than that of a text which another engine recognised."""
    pipeline = PIPELINE_VERSION + RECOGNITION_STEP
    while (recognition := services.catalog.recognition_at(document, pipeline)) and recognition["engine"] != engine:
        pipeline += RECOGNITION_STEP
    return pipeline


def _end_without_text(document: Document, services: ProcessingContext, state: str, reason: str) -> None:
    """Record that nothing was recognised: a readable document stays as it is, another one has no text."""
    services.catalog.set_recognition(document.id, tesseract.describe_engine(services.settings))
    if document.state not in READABLE:
        services.catalog.set_state(document.id, state, reason)
    shutil.rmtree(services.files.recognition_folder(document.id), ignore_errors=True)


def _ignore_progress(stage: str, done: int, total: int) -> None: ...
