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

from highlighter.embed.signing import LinkKeys, link_keys
from highlighter.embedder import WARM, Embedder
from highlighter.evidence.calibration import calibration_for
from highlighter.evidence.joint import Joint
from highlighter.evidence.passages import Passages
from highlighter.evidence.scorer import Scorer
from highlighter.generation.chain import Chain
from highlighter.generation.checking import Checking
from highlighter.generation.drafting import Drafting
from highlighter.generation.judge import ModelJudge
from highlighter.generation.keeping import Keeping
from highlighter.generation.pipeline import Answering
from highlighter.generation.prompted import Prompted
from highlighter.generation.prompting import Prompts
from highlighter.grounding.check import Checker
from highlighter.locale import N_
from highlighter.models import Document
from highlighter.once import made_once
from highlighter.pages.paper import Paper
from highlighter.search.find import Search
from highlighter.search.locate import Locator
from highlighter.search.references import References
from highlighter.search.reopen import Reopener
from highlighter.search.within import Finder
from highlighter.settings import Settings
from highlighter.store import departures, words
from highlighter.store.catalog import Catalog
from highlighter.store.damage import CatalogDamaged, find_damage, is_damage
from highlighter.store.database import open_database
from highlighter.store.disk import no_room
from highlighter.store.files import Files
from highlighter.store.index import Index
from highlighter.store.keys import Keys
from highlighter.store.removal import remove, remove_overdue
from highlighter.store.server_lock import ServerLock
from highlighter.viewer.remembered import RememberedPages
from highlighter.workers.jail import Jail

if TYPE_CHECKING:
    from highlighter.pack.packing import Packing
    from ingest.desk import Desk

log = logging.getLogger(__name__)

FOLLOW_EVERY_SECONDS = 2.0
SEE_OFF_EVERY_SECONDS = 1.0
RESUME_EVERY_SECONDS = 5.0
RETRY_AT_MOST_AFTER_SECONDS = 10.0  # a disk that has space again, or whatever else was mended, is noticed soon
JOB_STOP_SECONDS = 10.0  # a job notices between two steps that it is to stop
PROBE_CATALOG_EVERY_SECONDS = 5.0
CHECK_CATALOG_EVERY_SECONDS = 86_400.0  # it reads the whole file


class Services:
    """What one process needs, each made on first use."""

    def __init__(self, settings: Settings, embedder: Embedder | None = None):
        self.making = threading.RLock()
        # In full: this process may move to another folder, and its child processes run in one of their own.
        self.settings = replace(settings, data_dir=settings.data_dir.absolute())
        self.embedder = embedder or Embedder(settings.embedding_model, settings.cache_dir)
        self._closing = threading.Event()
        self._stopping = threading.Lock()
        self._server_lock = ServerLock(self.settings.data_dir)
        self.damage = ""  # what was found wrong with the catalog's file; empty: nothing
        self.damage_checked = threading.Event()  # the whole file was read once

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Services:
        return cls(settings or Settings.from_environment())

    @made_once
    def catalog(self) -> Catalog:
        return Catalog(open_database(self.settings.data_dir / "catalog.sqlite"))

    @made_once
    def keys(self) -> Keys:
        return Keys(self.catalog.engine, self.catalog.version)

    @made_once
    def files(self) -> Files:
        return Files(self.settings.data_dir / "files")

    @made_once
    def index(self) -> Index:
        return Index(self.settings.data_dir / "index", self.catalog, self.embedder.name)

    @made_once
    def passages(self) -> Passages:
        settings = self.settings
        return Passages(
            self.catalog, self.embedder, self.scorer, settings.highlight_method, settings.highlight_threshold
        )

    @made_once
    def scorer(self) -> Scorer:
        calibration = calibration_for(self.embedder.name, self.settings.data_dir / "calibration")
        if not calibration.fitted:
            log.warning(
                "Scores are not calibrated for %s: python -m highlighter calibrate --data FOLDER", self.embedder.name
            )
        return Scorer(calibration, Joint() if self.settings.joint else None)

    @made_once
    def search(self) -> Search:
        return Search(self.catalog, self.index, self.embedder, self.passages)

    @made_once
    def answering(self) -> Answering:
        settings = self.settings
        prompts = Prompts.from_folder(settings.prompts_dir)
        chain = Chain.from_settings(settings)
        judge = ModelJudge(chain, prompts) if settings.llm_judge and chain.configured else None
        drafting = Drafting(Prompted(chain, prompts, lambda: self.jail), settings.extractive_fallback)
        keep = self.keeping.keep if settings.keep_answers else None
        return Answering(self.search, self.passages, drafting, Checking(self.checker, judge), keep)

    @made_once
    def keeping(self) -> Keeping:
        return Keeping(self.catalog.engine)

    @made_once
    def checker(self) -> Checker:
        return Checker(self.embedder, self.scorer)

    @made_once
    def packing(self) -> Packing:
        from highlighter.pack.packing import Packing  # brings python-docx and the templates along
        from highlighter.pack.papers import Papers

        papers = Papers(self.catalog, self.files, self.paper)
        return Packing(self.keeping, papers, lambda: self.settings.audit_key.reveal())

    @made_once
    def locator(self) -> Locator:
        return Locator(self.catalog, self.embedder)

    @made_once
    def references(self) -> References:
        return References(self.catalog)

    @made_once
    def reopener(self) -> Reopener:
        return Reopener(self.locator)

    @made_once
    def finder(self) -> Finder:
        return Finder(self.search, self.locator.texts)

    @made_once
    def pages(self) -> RememberedPages:
        return RememberedPages()

    @made_once
    def paper(self) -> Paper:
        return Paper(self.catalog, self.files, lambda: self.jail)

    @made_once
    def link_keys(self) -> LinkKeys:
        return link_keys(self.settings.link_keys, self.settings.data_dir)

    @made_once
    def jail(self) -> Jail:
        """The children that read files and draw pages. One more than files are read in, so that no page waits for a file."""
        settings = self.settings
        return Jail(settings.workers + 1, settings.read_seconds, settings.read_memory_mb)

    @made_once
    def desk(self) -> Desk:
        """Takes files in. The one place where the service reaches up to ingestion."""
        from ingest.desk import Desk

        return Desk(self)

    def delete(self, document_id: str) -> Document | None:
        """Removes a document with everything that is kept of it, and returns what it was."""
        return remove(document_id, self.catalog, self.files)

    def delete_soon(self, document_id: str) -> bool:
        """The same, but it can be undone for `undo_seconds`; until then nobody finds the document."""
        return departures.announce(self.catalog.engine, document_id, self.settings.undo_seconds)

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
        for loop in (self._keep_house, self._see_off, self._resume_jobs, self._watch_catalog):
            # Each by itself: no promise to delete, and no upload, waits for an index.
            threading.Thread(target=loop, name=loop.__name__.strip("_"), daemon=True).start()

    def stop_background_work(self) -> None:
        """Hand over to the next server, which may start from now on, while requests are still answered here."""
        with self._stopping:
            self._closing.set()
            if "desk" in self.__dict__:
                self.desk.close()
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
        for name in ("jail", "desk", "catalog"):
            made = self.__dict__.get(name)
            if made is None:
                continue
            if name == "desk":
                made.join(JOB_STOP_SECONDS)
            else:
                made.close()

    def note_damage(self, words: str) -> None:
        """From now on no request is answered out of the catalog: what is damaged is not made worse."""
        if not self.damage:
            log.error("%s (%s)", CatalogDamaged().detail, words)
            self.damage = words
            self.damage_checked.set()

    def problems(self) -> list[str]:
        """Why requests cannot be answered yet, or any more, in sentences; empty when they can."""
        found = [CatalogDamaged().detail] if self.damage else []
        if self.embedder.state != WARM:
            found.append(self.embedder.problem or N_("The embedding model is being loaded."))
        return found

    def _keep_house(self) -> None:
        # The first page must not wait for any of this. An ingestion that starts now leaves the index to us, though.
        if not self.damage:
            try:
                self.index.own()
            except Exception:  # `_follow` tries again
                log.exception("The index could not be locked")
        self.embedder.wait(self.settings.warm_up_seconds)
        if not self._closing.is_set() and not self.damage:
            self.paper.get_ready()
        self._again_and_again(FOLLOW_EVERY_SECONDS, self._follow, "The index could not be brought up to the catalog")

    def _resume_jobs(self) -> None:
        """Finish what earlier processes left unfinished, and what could not be finished when it was begun."""
        begun = False

        def resume() -> None:
            nonlocal begun
            if self.embedder.state != WARM:
                return
            if begun:
                self.desk.resume_waiting()
            else:
                self.desk.take_up_unfinished()
                begun = True

        self.embedder.wait(self.settings.warm_up_seconds)
        self._again_and_again(RESUME_EVERY_SECONDS, resume, "Unfinished documents could not be taken up", at_once=True)

    def _watch_catalog(self) -> None:
        thorough_after = 0.0

        def check() -> None:
            nonlocal thorough_after
            thorough = time.monotonic() >= thorough_after
            self._check_catalog(thorough)
            if thorough:
                thorough_after = time.monotonic() + CHECK_CATALOG_EVERY_SECONDS
                self.damage_checked.set()

        failed = "The catalog's file could not be checked"
        self._again_and_again(PROBE_CATALOG_EVERY_SECONDS, check, failed, at_once=True)

    def _check_catalog(self, thorough: bool) -> None:
        try:
            path = self.catalog.engine.url.database
        except CatalogDamaged as err:
            self.note_damage(str(err.__cause__))
            return
        if wrong := find_damage(Path(path), thorough):
            self.note_damage(wrong)

    def _follow(self) -> None:
        words.fill(self.catalog.engine)
        self.index.follow()

    def _see_off(self) -> None:
        def remove_those() -> None:
            remove_overdue(self.catalog, self.files)

        self._again_and_again(SEE_OFF_EVERY_SECONDS, remove_those, "A deleted document could not be removed")

    def _again_and_again(self, seconds: float, task: Callable[[], None], failed: str, at_once: bool = False) -> None:
        pause = seconds
        while not self._closing.wait(0 if at_once else pause):
            at_once = False
            if self.damage:
                return
            try:
                task()
                pause = seconds
            except Exception as err:
                if self._closing.is_set():
                    return
                if is_damage(err):
                    self.note_damage(str(err))
                    return
                pause = min(2 * pause, RETRY_AT_MOST_AFTER_SECONDS)
                if no_room(err):
                    log.warning("%s, as the disk is full; trying again in %d s", failed, pause)
                else:
                    log.exception("%s; trying again in %d s", failed, pause)
