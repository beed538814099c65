"""The append-only tables, which every database guards itself.

Only the text of answers and feedback may be removed and, with a document, the salts of its digests. Who administers the
database can also drop its guards; such changes are detected by the hash chain (store/audit_log.py).
"""

from __future__ import annotations

REFUSAL = "the audit is append-only"
# The primary keys of the tables that may not be changed at all.
FIXED_TABLE_KEYS = {"audit": ("seq",), "answers": ("id",), "answer_documents": ("answer_id", "document_id")}
# The primary keys of the tables of which some columns may become null, all at once, and these columns.
REDACTABLE_TABLE_KEYS = {"answer_parts": ("answer_id", "name"), "feedback": ("seq",), "audit_digests": ("seq",)}
REDACTABLE_COLUMNS = {"answer_parts": ("words", "salt"), "feedback": ("question", "note"), "audit_digests": ("salt",)}
