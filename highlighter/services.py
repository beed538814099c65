"""The container that creates and connects the parts of the application for one process."""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from highlighter.answering.drafters import Drafter, ModelDrafter
from highlighter.answering.history import AnswerHistory
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.model_judge import ModelJudge
from highlighter.answering.pipeline import AnswerPipeline
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.answering.records import AnswerStore
from highlighter.answering.verification import DraftChecker
from highlighter.background_worker import BackgroundWorker
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.evidence.question_reader import QuestionReader
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.evidence.sentence_vectors import SentenceVectors
from highlighter.grounding.checker import Checker
from highlighter.lazy_property import lazy_property
from highlighter.models import Document
from highlighter.native_citations.document_finder import DocumentFinder
from highlighter.native_citations.opener import CitationOpener
from highlighter.native_citations.source_locator import SourceLocator
from highlighter.notes.note_book import NoteBook
from highlighter.operating_system import require_posix
from highlighter.pages.document_pages import DocumentPages
from highlighter.search.answer_sources import AnswerSourceFinder
from highlighter.search.citation_reopener import CitationReopener
from highlighter.search.document_search import DocumentSearch
from highlighter.search.hybrid_search import HybridSearch
from highlighter.search.quote_locator import QuoteLocator
from highlighter.search.reference_lookup import ReferenceLookup
from highlighter.settings import Settings
from highlighter.sign_in.configuration import SignIn, load_sign_in
from highlighter.signed_links import LinkKeys, load_link_keys
from highlighter.store.attachments import list_attachments
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_health import CatalogHealth
from highlighter.store.chroma_server import ChromaServer, ServerAccess
from highlighter.store.database import open_catalog_database
from highlighter.store.deletion import remove_document, schedule_deletion
from highlighter.store.file_stores import FilesElsewhere, has_files_elsewhere, open_file_store
from highlighter.store.files import FileStore
from highlighter.store.folder_index import FolderIndex
from highlighter.store.index import VectorIndex
from highlighter.store.keys import ApiKeyStore
from highlighter.store.migration import CatalogTooNew
from highlighter.store.people import PeopleStore
from highlighter.store.server_index import ServerIndex
from highlighter.store.server_lock import ServerLock
from highlighter.urls import Links
from highlighter.webhooks.dispatcher import WebhookDispatcher
from highlighter.webhooks.events import EventReader
from highlighter.workers.cluster import Cluster
from highlighter.workers.process_pool import ProcessPool

if TYPE_CHECKING:
    from highlighter.evidence_pack.builder import EvidencePackBuilder
    from ingest.ingest_queue import IngestQueue

log = logging.getLogger(__name__)

JOB_STOP_TIMEOUT_SECONDS = 10.0  # an ingestion job notices between two steps that it is to stop


class Services:
    """The stores, models and pipelines of one process, each created on first use.

    This is the only place that chooses implementations; pages, API and command line take theirs from here.
    """

    def __init__(self, settings: Settings, embedder: Embedder | None = None):
        if not settings.service_url:
            require_posix()
        self.lazy_property_lock = threading.RLock()
        # Absolute, as this process may change its working directory, and its child processes run in another.
        self.settings = replace(settings, data_dir=settings.data_dir.absolute())
        self.embedder = embedder or Embedder(settings.embedding_model)
        self.catalog_health = CatalogHealth(lambda: self.catalog)
        self._background_worker = BackgroundWorker(self)
        self._stop_lock = threading.Lock()
        self._server_lock = ServerLock(self.settings.data_dir, self.settings.can_share_data)

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Services:
        return cls(settings or Settings.from_environment())

    @lazy_property
    def catalog(self) -> Catalog:
        return Catalog(open_catalog_database(self.settings.data_dir, self.settings.database_url))

    @lazy_property
    def api_keys(self) -> ApiKeyStore:
        return ApiKeyStore(self.catalog.engine, self.catalog.data_version)

    @lazy_property
    def sign_in(self) -> SignIn | None:
        """The sign-in for people; None where only keys are asked for. Raises SettingsError for wrong settings."""
        return load_sign_in(self.settings)

    @lazy_property
    def people(self) -> PeopleStore:
        return PeopleStore(self.catalog.engine)

    @lazy_property
    def files(self) -> FileStore:
        return open_file_store(self.settings, lambda: self.catalog.engine)

    @lazy_property
    def index(self) -> VectorIndex:
        settings, model = self.settings, self.embedder.name
        if not settings.chroma_url:
            return FolderIndex(settings.data_dir / "index", self.catalog, model)
        access = ServerAccess(
            settings.chroma_url, settings.chroma_api_key, settings.chroma_tenant, settings.chroma_database
        )
        return ServerIndex(ChromaServer(access), self.catalog, model)

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
        bundled = self.embedder.bundled
        return EvidenceScorer(
            calibration,
            JointScorer() if self.settings.joint else None,
            multilingual=self.embedder if bundled is not None and bundled.reads_every_script else None,
            reader=QuestionReader() if self.settings.joint else None,
        )

    @lazy_property
    def search(self) -> HybridSearch:
        return HybridSearch(self.catalog, self.index, self.embedder, self.passage_highlighter)

    @lazy_property
    def answer_pipeline(self) -> AnswerPipeline:
        settings = self.settings
        prompts = PromptBuilder.from_folder(settings.prompts_dir, settings.allow_instructing_sources)
        if settings.refusal_text:
            prompts = prompts.with_refusal(settings.refusal_text)
        models = ModelFallback.from_settings(settings)
        judge = ModelJudge(models, prompts) if settings.llm_judge and models.is_configured else None
        model_drafter = ModelDrafter(
            models, prompts, lambda: self.process_pool, self.answer_checker, judge, settings.refusal_text
        )
        drafter = Drafter(model_drafter, settings.extractive_fallback)
        save_answer = self.answer_records.save if settings.keep_answers else None
        draft_checker = DraftChecker(self.answer_checker, judge, settings.refusal_text)
        return AnswerPipeline(
            self.search, self.passage_highlighter, drafter, draft_checker, save_answer, settings.min_grounding
        )

    @lazy_property
    def answer_records(self) -> AnswerStore:
        return AnswerStore(self.catalog.engine)

    @lazy_property
    def answer_history(self) -> AnswerHistory:
        return AnswerHistory(self.answer_records)

    @lazy_property
    def answer_checker(self) -> Checker:
        vectors = SentenceVectors(self.catalog, self.embedder)
        return Checker(self.embedder, self.evidence_scorer, encode_sentences=vectors.encode)

    @lazy_property
    def evidence_packs(self) -> EvidencePackBuilder:
        from highlighter.evidence_pack.builder import EvidencePackBuilder  # imports python-docx and the templates
        from highlighter.evidence_pack.document_files import PackFileBuilder

        document_files = PackFileBuilder(self.catalog, self.files, self.page_renderer)
        return EvidencePackBuilder(self.answer_records, document_files, lambda: self.settings.audit_key.reveal())

    @lazy_property
    def quote_locator(self) -> QuoteLocator:
        return QuoteLocator(self.catalog, self.embedder)

    @lazy_property
    def reference_lookup(self) -> ReferenceLookup:
        return ReferenceLookup(self.catalog)

    @lazy_property
    def answer_sources(self) -> AnswerSourceFinder:
        return AnswerSourceFinder(self.catalog, self.search, self.reference_lookup)

    @lazy_property
    def citation_opener(self) -> CitationOpener:
        finder = DocumentFinder(self.catalog, self.reference_lookup, self.link_keys)
        locator = SourceLocator(self.catalog, self.search, self.quote_locator, finder)
        return CitationOpener(locator, self.quote_locator, self.answer_checker)

    @lazy_property
    def citation_reopener(self) -> CitationReopener:
        return CitationReopener(self.quote_locator)

    @lazy_property
    def note_book(self) -> NoteBook:
        return NoteBook(self.quote_locator, self.settings.undo_seconds)

    @lazy_property
    def document_search(self) -> DocumentSearch:
        return DocumentSearch(self.search, self.quote_locator.text_cache)

    @lazy_property
    def page_renderer(self) -> DocumentPages:
        return DocumentPages(self.catalog, self.files, lambda: self.process_pool)

    @lazy_property
    def link_keys(self) -> LinkKeys:
        return load_link_keys(self.settings.link_keys, self.settings.data_dir)

    @lazy_property
    def process_pool(self) -> ProcessPool:
        """The child processes that read files and draw pages: one more than read files, so that no page waits for a file."""
        settings = self.settings
        return ProcessPool(settings.workers + 1, settings.read_seconds, settings.read_memory_mb)

    @lazy_property
    def cluster(self) -> Cluster | None:
        """The Dask cluster that reads files; None when this machine does."""
        return Cluster(self.settings.dask_scheduler) if self.settings.dask_scheduler else None

    @lazy_property
    def ingest_queue(self) -> IngestQueue:
        """The queue of documents to be ingested. Imported here, as ingestion is built on this package."""
        from ingest.ingest_queue import IngestQueue

        return IngestQueue(self)

    @lazy_property
    def webhook_dispatcher(self) -> WebhookDispatcher:
        settings = self.settings
        events = EventReader(self.catalog, self.answer_records, Links(settings.public_url))
        return WebhookDispatcher(self.catalog.engine, events, settings.webhook_hosts, self.api_keys.is_valid)

    def delete_document(self, document_id: str) -> Document | None:
        """Delete a document with everything stored of it and the attachments that came with it, and return it as it was."""
        self.webhook_dispatcher.queue_all_events()
        for attachment in self._list_attachments(document_id):
            remove_document(attachment.id, self.catalog, self.files)
        return remove_document(document_id, self.catalog, self.files)

    def soft_delete(self, document_id: str) -> bool:
        """Hide a document and the attachments that came with it now and delete them after `undo_seconds`.

        Until then, the deletion of each can be undone.
        """
        for attachment in self._list_attachments(document_id):
            schedule_deletion(self.catalog.engine, attachment.id, self.settings.undo_seconds)
        return schedule_deletion(self.catalog.engine, document_id, self.settings.undo_seconds)

    def _list_attachments(self, document_id: str) -> list[Document]:
        document = self.catalog.document(document_id)
        return list_attachments(self.catalog.engine, document) if document else []

    def start(self) -> None:
        """Load the model and start the background jobs of a server.

        Waits for another server on this data folder to stop; raises Unavailable when that one does not, when a later release
        has upgraded the catalog, or when the files of its documents are elsewhere.
        """
        self._server_lock.acquire(self.settings.takeover_seconds)
        atexit.register(self.close)  # not every server tells its application that it stops
        try:
            self.catalog_health.check(thorough=False)
            if not self.catalog_damage and has_files_elsewhere(self.settings, self.catalog, self.files):
                raise FilesElsewhere(self.files.root)
        except (CatalogTooNew, FilesElsewhere):
            self._server_lock.release()
            raise
        except Exception:  # no space to open it, perhaps; the background worker checks again
            log.exception("The catalog could not be checked")
        self.embedder.load_in_background()
        self._background_worker.start()

    def stop_background_work(self) -> None:
        """Hand over to the next server, which may start from now on, while this one still answers requests."""
        with self._stop_lock:
            self._background_worker.stop()
            if queue := self._get_if_created("ingest_queue"):
                queue.close()
            if dispatcher := self._get_if_created("webhook_dispatcher"):
                dispatcher.close()
            # Released before the index is closed, which may take minutes; the index has a lock of its own.
            self._server_lock.release()
            if index := self._get_if_created("index"):
                index.close()

    @property
    def is_stopping(self) -> bool:
        return self._background_worker.is_stopping

    def close(self) -> None:
        """Stop the background work, and close the process pool and the catalog."""
        atexit.unregister(self.close)
        self.stop_background_work()
        if pool := self._get_if_created("process_pool"):
            pool.close()
        if cluster := self._get_if_created("cluster"):
            cluster.close()
        if queue := self._get_if_created("ingest_queue"):
            queue.join(JOB_STOP_TIMEOUT_SECONDS)
        if catalog := self._get_if_created("catalog"):
            catalog.close()

    def _get_if_created(self, name: str) -> Any:
        return self.__dict__.get(name)

    @property
    def catalog_damage(self) -> str:
        return self.catalog_health.damage

    def mark_catalog_damaged(self, description: str) -> None:
        self.catalog_health.mark_damaged(description)
