"""The answers that a key or a browser session has asked for, as far as it may still see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from highlighter.access import VisibleCollections
from highlighter.answering.records import AnswerStore, StoredAnswer
from highlighter.errors import NotFound
from highlighter.locale import N_
from highlighter.store.answer_history import HistoryPosition, iterate_history, update_history_entry
from highlighter.store.database import write_transaction


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """An answer of a history, as it was stored."""

    stored_answer: StoredAnswer
    position: HistoryPosition

    @property
    def pinned(self) -> bool:
        return self.position.pinned


class AnswerHistory:
    """The history of answers. A principal without a key and a session has none."""

    def __init__(self, answer_store: AnswerStore):
        self._answer_store = answer_store

    def list_items(
        self, owner: str, visible: VisibleCollections, words: str, limit: int, after: HistoryPosition | None = None
    ) -> list[HistoryItem]:
        """Return at most `limit` answers whose question contains some words, pinned ones first, then the latest first.

        With `after`, those that follow this position.
        """
        return list(islice(self._iterate_visible(owner, visible, words, after), limit)) if owner else []

    def _iterate_visible(
        self, owner: str, visible: VisibleCollections, words: str, after: HistoryPosition | None
    ) -> Iterator[HistoryItem]:
        with self._answer_store.engine.connect() as connection:
            for entry in iterate_history(connection, owner, words, after):
                position = HistoryPosition(entry.pinned, entry.seq)
                try:
                    yield HistoryItem(self._answer_store.load(entry.answer_id, visible), position)
                except NotFound:  # over a collection that the key may no longer see
                    continue

    def pin(self, answer_id: str, owner: str, pinned: bool) -> None:
        self._update(answer_id, owner, pinned=pinned)

    def hide(self, answer_id: str, owner: str, hidden: bool) -> None:
        """Take an answer out of a history, or back into it. The answer itself stays in the audit."""
        self._update(answer_id, owner, hidden=hidden)

    def _update(self, answer_id: str, owner: str, pinned: bool | None = None, hidden: bool | None = None) -> None:
        with write_transaction(self._answer_store.engine) as connection:
            if not owner or not update_history_entry(connection, answer_id, owner, pinned, hidden):
                raise NotFound(N_("Answer {id} is not in your history.", id=answer_id[:64]))
