"""The state of the catalog's file: sound, or damaged beyond everything but a backup."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from highlighter.store.catalog import Catalog
from highlighter.store.storage_errors import CatalogDamaged, find_catalog_damage

log = logging.getLogger(__name__)


class CatalogHealth:
    """The result of checking the catalog's file. Once damaged, the catalog stays damaged until the process ends."""

    def __init__(self, open_catalog: Callable[[], Catalog]):
        self._open_catalog = open_catalog
        self.damage = ""  # what is wrong with the file; empty while nothing is known to be
        self.was_read_whole = threading.Event()  # set once the whole file was read, or damage was met

    def check(self, thorough: bool) -> None:
        """Look for damage; a thorough check reads the whole file."""
        try:
            path = self._open_catalog().engine.url.database
        except CatalogDamaged as err:
            self.mark_damaged(str(err.__cause__))
            return
        if damage := find_catalog_damage(Path(path or ""), thorough):
            self.mark_damaged(damage)
        if thorough:
            self.was_read_whole.set()

    def mark_damaged(self, description: str) -> None:
        """Record that the catalog is damaged. No request reads or writes it from now on, so the damage does not grow."""
        if not self.damage:
            log.error("%s (%s)", CatalogDamaged().detail, description)
            self.damage = description
            self.was_read_whole.set()
