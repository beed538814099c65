"""The only place that picks implementations. Front doors ask here and get something ready to be called."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.answering.drafters import Drafter, ModelDrafter
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.pipeline import AnswerPipeline
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.answering.records import AnswerStore
from highlighter.answering.verification import DraftChecker, ModelJudge
from highlighter.embedding.embedder import WARM, Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.lazy_property import lazy_property
from highlighter.locale import N_
from highlighter.models import Document
from highlighter.pages.document_pages import DocumentPages
from highlighter.search.citation_reopener import CitationReopener
from highlighter.search.document_search import DocumentSearch
from highlighter.search.hybrid_search import HybridSearch
from highlighter.search.quote_locator import QuoteLocator
from highlighter.search.reference_lookup import ReferenceLookup
from highlighter.settings import Settings
from highlighter.signed_links import LinkKeys, load_link_keys
from highlighter.store import chunk_search, deletion
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database
from highlighter.store.deletion import remove_document, remove_overdue_documents
from highlighter.store.files import FileStore
from highlighter.store.index import VectorIndex
from highlighter.store.keys import ApiKeyStore
from highlighter.store.server_lock import ServerLock
from highlighter.store.storage_errors import CatalogDamaged, find_catalog_damage, is_catalog_damage, is_disk_full
from highlighter.web.lru_page_cache import LruPageCache
from highlighter.workers.process_pool import ProcessPool

if TYPE_CHECKING:
    from highlighter.evidence_pack.builder import EvidencePackBuilder
    from ingest.ingest_queue import IngestQueue

log = logging.getLogger(__name__)

INDEX_SYNC_INTERVAL_SECONDS = 2.0
PURGE_INTERVAL_SECONDS = 1.0
RESUME_INTERVAL_SECONDS = 5.0
MAX_RETRY_DELAY_SECONDS = 10.0  # a disk that has space again, or whatever else was mended, is noticed soon
JOB_STOP_TIMEOUT_SECONDS = 10.0  # a job notices between two steps that it is to stop
CATALOG_PROBE_INTERVAL_SECONDS = 5.0
CATALOG_CHECK_INTERVAL_SECONDS = 86_400.0  # it reads the whole file


class Services:
    """What one process needs, each made on first use."""

    def __init__(self, settings: Settings, embedder: Embedder | None = None):
        self.lazy_property_lock = threading.RLock()
        # In full: this process may move to another folder, and its child processes run in one of their own.
        self.settings = replace(settings, data_dir=settings.data_dir.absolute())
        self.embedder = embedder or Embedder(settings.embedding_model, settings.cache_dir)
        self._closing = threading.Event()
        self._stopping = threading.Lock()
        self._server_lock = ServerLock(self.settings.data_dir)
        self.catalog_damage = ""  # what was found wrong with the catalog's file; empty: nothing
        self.catalog_checked = threading.Event()  # the whole file was read once

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Services:
        return cls(settings or Settings.from_environment())

    @lazy_property
    def catalog(self) -> Catalog:
        return Catalog(open_database(self.settings.data_dir / "catalog.sqlite"))

    @lazy_property
    def api_keys(self) -> ApiKeyStore:
        return ApiKeyStore(self.catalog.engine, self.catalog.data_version)

    @lazy_property
    def files(self) -> FileStore:
        return FileStore(self.settings.data_dir / "files")

    @lazy_property
    def index(self) -> VectorIndex:
        return VectorIndex(self.settings.data_dir / "index", self.catalog, self.embedder.name)

    @lazy_property
    def passage_highlighter(self) -> PassageHighlighter:
        settings = self.settings
        return PassageHighlighter(
            self.catalog, self.embedder, self.evidence_scorer, settings.highlight_method, settings.highlight_threshold
        )

    @lazy_property
    def evidence_scorer(self) -> EvidenceScorer:
        calibration = load_calibration(self.embedder.name, self.settings.data_dir / "calibration")
        if not calibration.fitted:
            log.warning(
                "Scores are not calibrated for %s: python -m highlighter calibrate --data FOLDER", self.embedder.name
            )
        return EvidenceScorer(calibration, JointScorer() if self.settings.joint else None)

    @lazy_property
    def search(self) -> HybridSearch:
        return HybridSearch(self.catalog, self.index, self.embedder, self.passage_highlighter)

    @lazy_property
    def answer_pipeline(self) -> AnswerPipeline:
        settings = self.settings
        prompts = PromptBuilder.from_folder(settings.prompts_dir)
        chain = ModelFallback.from_settings(settings)
        judge = ModelJudge(chain, prompts) if settings.llm_judge and chain.is_configured else None
        drafting = Drafter(ModelDrafter(chain, prompts, lambda: self.process_pool), settings.extractive_fallback)
        keep = self.answer_records.save if settings.keep_answers else None
        return AnswerPipeline(
            self.search, self.passage_highlighter, drafting, DraftChecker(self.answer_checker, judge), keep
        )

    @lazy_property
    def answer_records(self) -> AnswerStore:
        return AnswerStore(self.catalog.engine)

    @lazy_property
    def answer_checker(self) -> Checker:
        return Checker(self.embedder, self.evidence_scorer)

    @lazy_property
    def evidence_packs(self) -> EvidencePackBuilder:
        from highlighter.evidence_pack.builder import EvidencePackBuilder  # brings python-docx and the templates along
        from highlighter.evidence_pack.document_files import PackFileBuilder

        papers = PackFileBuilder(self.catalog, self.files, self.page_renderer)
        return EvidencePackBuilder(self.answer_records, papers, lambda: self.settings.audit_key.reveal())

    @lazy_property
    def quote_locator(self) -> QuoteLocator:
        return QuoteLocator(self.catalog, self.embedder)

    @lazy_property
    def reference_lookup(self) -> ReferenceLookup:
        return ReferenceLookup(self.catalog)

    @lazy_property
    def citation_reopener(self) -> CitationReopener:
        return CitationReopener(self.quote_locator)

    @lazy_property
    def document_search(self) -> DocumentSearch:
        return DocumentSearch(self.search, self.quote_locator.text_cache)

    @lazy_property
    def page_cache(self) -> LruPageCache:
        return LruPageCache()

    @lazy_property
    def page_renderer(self) -> DocumentPages:
        return DocumentPages(self.catalog, self.files, lambda: self.process_pool)

    @lazy_property
    def link_keys(self) -> LinkKeys:
        return load_link_keys(self.settings.link_keys, self.settings.data_dir)

    @lazy_property
    def process_pool(self) -> ProcessPool:
        """The children that read files and draw pages. One more than files are read in, so that no page waits for a file."""
        settings = self.settings
        return ProcessPool(settings.workers + 1, settings.read_seconds, settings.read_memory_mb)

    @lazy_property
    def ingest_queue(self) -> IngestQueue:
        """Takes files in. The one place where the service reaches up to ingestion."""
        from ingest.ingest_queue import IngestQueue

        return IngestQueue(self)

    def delete_document(self, document_id: str) -> Document | None:
        """Removes a document with everything that is kept of it, and returns what it was."""
        return remove_document(document_id, self.catalog, self.files)

    def soft_delete(self, document_id: str) -> bool:
        """The same, but it can be undone for `undo_seconds`; until then nobody finds the document."""
        return deletion.schedule_deletion(self.catalog.engine, document_id, self.settings.undo_seconds)

    def start(self) -> None:
        """Begin what a server does besides answering: load the model, finish jobs, keep the index up to the catalog.

        Waits for another server on this data folder to stop; raises Unavailable when it does not.
        """
        self._server_lock.acquire(self.settings.takeover_seconds)
        atexit.register(self.close)  # not every server tells its application that it stops
        try:
            self._check_catalog(thorough=False)
        except Exception:  # no space to open it, perhaps; `_watch_catalog` tries again
            log.exception("The catalog could not be checked")
        self.embedder.load_in_background()
        for loop in (self._maintenance_loop, self._purge_loop, self._resume_loop, self._catalog_check_loop):
            # Each by itself: no promise to delete, and no upload, waits for an index.
            threading.Thread(target=loop, name=loop.__name__.strip("_"), daemon=True).start()

    def stop_background_work(self) -> None:
        """Hand over to the next server, which may start from now on, while requests are still answered here."""
        with self._stopping:
            self._closing.set()
            if "ingest_queue" in self.__dict__:
                self.ingest_queue.close()
            # Before the index, which ends what it is at, for minutes perhaps; it has a lock of its own.
            self._server_lock.release()
            if "index" in self.__dict__:
                self.index.close()

    @property
    def is_stopping(self) -> bool:
        return self._closing.is_set()

    def close(self) -> None:
        atexit.unregister(self.close)
        self.stop_background_work()
        for name in ("process_pool", "ingest_queue", "catalog"):
            made = self.__dict__.get(name)
            if made is None:
                continue
            if name == "ingest_queue":
                made.join(JOB_STOP_TIMEOUT_SECONDS)
            else:
                made.close()

    def mark_catalog_damaged(self, description: str) -> None:
        """From now on no request is answered out of the catalog: what is damaged is not made worse."""
        if not self.catalog_damage:
            log.error("%s (%s)", CatalogDamaged().detail, description)
            self.catalog_damage = description
            self.catalog_checked.set()

    def list_problems(self) -> list[str]:
        """Why requests cannot be answered yet, or any more, in sentences; empty when they can."""
        found = [CatalogDamaged().detail] if self.catalog_damage else []
        if self.embedder.state != WARM:
            found.append(self.embedder.problem or N_("The embedding model is loading."))
        return found

    def _maintenance_loop(self) -> None:
        # The first page must not wait for any of this. An ingestion that starts now leaves the index to us, though.
        if not self.catalog_damage:
            try:
                self.index.acquire_ownership()
            except Exception:  # `_follow` tries again
                log.exception("The index could not be locked")
        self.embedder.wait_until_loaded(self.settings.warm_up_seconds)
        if not self._closing.is_set() and not self.catalog_damage:
            self.page_renderer.start_drawing_process()
        self._run_periodically(
            INDEX_SYNC_INTERVAL_SECONDS, self._sync_index, "The index could not be brought up to the catalog"
        )

    def _resume_loop(self) -> None:
        """Finish what earlier processes left unfinished, and what could not be finished when it was begun."""
        begun = False

        def resume() -> None:
            nonlocal begun
            if self.embedder.state != WARM:
                return
            if begun:
                self.ingest_queue.requeue_waiting()
            else:
                self.ingest_queue.resume_unfinished()
                begun = True

        self.embedder.wait_until_loaded(self.settings.warm_up_seconds)
        self._run_periodically(
            RESUME_INTERVAL_SECONDS, resume, "Unfinished documents could not be taken up", start_at_once=True
        )

    def _catalog_check_loop(self) -> None:
        thorough_after = 0.0

        def check() -> None:
            nonlocal thorough_after
            thorough = time.monotonic() >= thorough_after
            self._check_catalog(thorough)
            if thorough:
                thorough_after = time.monotonic() + CATALOG_CHECK_INTERVAL_SECONDS
                self.catalog_checked.set()

        failed = "The catalog's file could not be checked"
        self._run_periodically(CATALOG_PROBE_INTERVAL_SECONDS, check, failed, start_at_once=True)

    def _check_catalog(self, thorough: bool) -> None:
        try:
            path = self.catalog.engine.url.database
        except CatalogDamaged as err:
            self.mark_catalog_damaged(str(err.__cause__))
            return
        if wrong := find_catalog_damage(Path(path), thorough):
            self.mark_catalog_damaged(wrong)

    def _sync_index(self) -> None:
        chunk_search.fill_missing_terms(self.catalog.engine)
        self.index.sync()

    def _purge_loop(self) -> None:
        def remove_those() -> None:
            remove_overdue_documents(self.catalog, self.files)

        self._run_periodically(PURGE_INTERVAL_SECONDS, remove_those, "A deleted document could not be removed")

    def _run_periodically(
        self, interval_seconds: float, task: Callable[[], None], failure_message: str, start_at_once: bool = False
    ) -> None:
        pause = interval_seconds
        while not self._closing.wait(0 if start_at_once else pause):
            start_at_once = False
            if self.catalog_damage:
                return
            try:
                task()
                pause = interval_seconds
            except Exception as err:
                if self._closing.is_set():
                    return
                if is_catalog_damage(err):
                    self.mark_catalog_damaged(str(err))
                    return
                pause = min(2 * pause, MAX_RETRY_DELAY_SECONDS)
                if is_disk_full(err):
                    log.warning("%s, as the disk is full; trying again in %d s", failure_message, pause)
                else:
                    log.exception("%s; trying again in %d s", failure_message, pause)
