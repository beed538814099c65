"""Tables that are only added to: SQLite itself refuses the rest, whoever asks, save that words of answers may go
and, with a document, the salts of its digests.

Triggers can be dropped by whoever may write the file. That is what the chain is for: store/chain.py.
"""

from __future__ import annotations

from sqlalchemy import Connection

ONLY_ADDED_TO = {"audit": "seq", "answers": "id", "answer_documents": "answer_id, document_id"}
PARTS, FEEDBACK, DIGESTS = "answer_parts", "feedback", "audit_digests"
_REFUSE = "BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"


def guard(connection: Connection) -> None:
    """At each opening, so that the tables of an earlier release are guarded, too."""
    for statement in _statements():
        connection.exec_driver_sql(statement)


def _statements() -> list[str]:
    refused = [(table, verb) for table in ONLY_ADDED_TO for verb in ("UPDATE", "DELETE")]
    refused += [(PARTS, "DELETE"), (FEEDBACK, "DELETE"), (DIGESTS, "DELETE")]
    made = [f"CREATE TRIGGER IF NOT EXISTS {t}_no_{v.lower()} BEFORE {v} ON {t} {_REFUSE}" for t, v in refused]
    for table, keys in (ONLY_ADDED_TO | {PARTS: "answer_id, name", FEEDBACK: "seq", DIGESTS: "seq"}).items():
        same = " AND ".join(f"{key} = new.{key}" for key in keys.split(", "))
        # INSERT OR REPLACE deletes without asking the trigger against deletion.
        there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"
        made.append(f"CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} {there} {_REFUSE}")
    return [*made, _WORDS_MAY_GO, _SAID_MAY_GO, _SALTS_MAY_GO]


_WORDS_MAY_GO = f"""CREATE TRIGGER IF NOT EXISTS {PARTS}_no_update BEFORE UPDATE ON {PARTS}
    WHEN new.words IS NOT NULL OR new.salt IS NOT NULL OR new.answer_id IS NOT old.answer_id
        OR new.name IS NOT old.name OR new.goes_with IS NOT old.goes_with OR new.digest IS NOT old.digest {_REFUSE}"""

_STAYS = "seq id at document_id collection pipeline chunk start end sentence lit verdict undoes".split()
_SAID_MAY_GO = f"""CREATE TRIGGER IF NOT EXISTS {FEEDBACK}_no_update BEFORE UPDATE ON {FEEDBACK}
    WHEN new.question IS NOT NULL OR new.note IS NOT NULL
        OR {" OR ".join(f'new."{name}" IS NOT old."{name}"' for name in _STAYS)} {_REFUSE}"""

_SALTS_MAY_GO = f"""CREATE TRIGGER IF NOT EXISTS {DIGESTS}_no_update BEFORE UPDATE ON {DIGESTS}
    WHEN new.salt IS NOT NULL OR new.seq IS NOT old.seq OR new.document_id IS NOT old.document_id
        OR new.pipeline IS NOT old.pipeline OR new.feedback_id IS NOT old.feedback_id
        OR new.digests IS NOT old.digests OR new.sentences IS NOT old.sentences {_REFUSE}"""
