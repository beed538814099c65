"""The state of the catalog's database: sound, unreachable for a while, or damaged beyond everything but a backup."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from highlighter.store.catalog import Catalog
from highlighter.store.dialects import get_dialect
from highlighter.store.storage_errors import (
    CatalogDamaged,
    CatalogUnreachable,
    convert_unreachable_error,
    is_catalog_unreachable,
)

log = logging.getLogger(__name__)


class CatalogHealth:
    """The result of checking the catalog. Once damaged, it stays damaged until the process ends."""

    def __init__(self, open_catalog: Callable[[], Catalog]):
        self._open_catalog = open_catalog
        self.damage = ""  # what is wrong with the file; empty while nothing is known to be
        self.was_read_whole = threading.Event()  # set once the whole file was read, or damage was met

    def check(self, thorough: bool) -> None:
        """Look for damage; a thorough check reads the whole file. Raises CatalogUnreachable when no server answers."""
        try:
            engine = self._open_catalog().engine
            damage = get_dialect(engine).find_damage(engine, thorough)
        except CatalogDamaged as err:
            damage = str(err.__cause__)
        except Exception as err:
            if is_catalog_unreachable(err):
                raise convert_unreachable_error(err) from err
            raise
        if damage:
            self.mark_damaged(damage)
            return
        if thorough:
            self.was_read_whole.set()

    def mark_damaged(self, description: str) -> None:
        """Record that the catalog is damaged. No request reads or writes it from now on, so the damage does not grow."""
        if not self.damage:
            log.error("%s (%s)", CatalogDamaged().detail, description)
            self.damage = description
            self.was_read_whole.set()

    def find_problem(self) -> str:
        """Return why the catalog cannot be used now, as a sentence for users; empty when it can be."""
        if self.damage:
            return CatalogDamaged().detail
        try:
            self.check(thorough=False)
        except CatalogUnreachable as err:
            return err.detail
        except Exception:
            log.exception("The catalog could not be checked")
        return CatalogDamaged().detail if self.damage else ""
