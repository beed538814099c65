"""The history of answers of each key or browser session.

Answers are part of the audit and stay. An answer that its asker deletes from the history is hidden there, which can be undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, and_, func, insert, or_, select, update

from highlighter.store.answer_records import QUESTION_PART
from highlighter.store.schema import answer_history, answer_parts, answers


class HistoryEntry(NamedTuple):
    """An answer in a history."""

    answer_id: str
    pinned: bool
    seq: int  # of its row in the audit


class HistoryPosition(NamedTuple):
    """The position of an answer in a history."""

    pinned: bool
    seq: int


def add_to_history(connection: Connection, answer_id: str, owner: str) -> None:
    connection.execute(insert(answer_history), {"answer_id": answer_id, "owner": owner})


def iterate_history(
    connection: Connection, owner: str, words: str = "", after: HistoryPosition | None = None
) -> Iterator[HistoryEntry]:
    """Yield the answers of an owner whose question contains some words: pinned ones first, then the latest first."""
    history, question = answer_history.c, func.json_extract(answer_parts.c.content, "$.question")
    query = select(history.answer_id, history.pinned, answers.c.seq)
    query = query.join(answers, answers.c.id == history.answer_id).where(history.owner == owner, ~history.hidden)
    if after is not None:
        is_later = and_(history.pinned == after.pinned, answers.c.seq < after.seq)
        query = query.where(or_(is_later, ~history.pinned) if after.pinned else is_later)
    if words:
        is_question = (answer_parts.c.answer_id == history.answer_id) & (answer_parts.c.name == QUESTION_PART)
        query = query.join(answer_parts, is_question)
        query = query.where(func.casefolded(func.coalesce(question, "")).contains(words.casefold(), autoescape=True))
    for row in connection.execute(query.order_by(history.pinned.desc(), answers.c.seq.desc())):
        yield HistoryEntry(row.answer_id, row.pinned, row.seq)


def update_history_entry(
    connection: Connection, answer_id: str, owner: str, pinned: bool | None = None, hidden: bool | None = None
) -> bool:
    """Pin or hide an answer in the history of its owner. Return whether the owner has it."""
    changed = {name: value for name, value in (("pinned", pinned), ("hidden", hidden)) if value is not None}
    is_entry = (answer_history.c.answer_id == answer_id) & (answer_history.c.owner == owner)
    return connection.execute(update(answer_history).where(is_entry).values(changed)).rowcount > 0
