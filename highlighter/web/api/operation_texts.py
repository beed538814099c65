"""What generated clients and readers of the OpenAPI document need besides the models: stable names, and examples."""

from __future__ import annotations

from typing import Any

# Generated clients name their methods by these ids: an id never changes.
OPERATION_IDS = {
    ("get", "/api/v1/answers"): "listAnswers",
    ("post", "/api/v1/answers"): "createAnswer",
    ("get", "/api/v1/answers/{answer_id}"): "getAnswer",
    ("get", "/api/v1/answers/{answer_id}/pack"): "getEvidencePack",
    ("post", "/api/v1/check"): "checkAnswer",
    ("get", "/api/v1/chunks/highlight"): "showHighlightedChunk",
    ("post", "/api/v1/citations/native"): "openNativeCitations",
    ("post", "/api/v1/citations/resolve"): "resolveReferences",
    ("get", "/api/v1/documents"): "listDocuments",
    ("post", "/api/v1/documents"): "uploadDocument",
    ("post", "/api/v1/documents/bulk"): "uploadDocuments",
    ("delete", "/api/v1/documents/{document_id}"): "deleteDocument",
    ("get", "/api/v1/documents/{document_id}"): "getDocument",
    ("patch", "/api/v1/documents/{document_id}"): "updateDocument",
    ("get", "/api/v1/documents/{document_id}/annotations"): "listAnnotations",
    ("get", "/api/v1/documents/{document_id}/chunks"): "listChunks",
    ("get", "/api/v1/documents/{document_id}/events"): "streamDocumentEvents",
    ("get", "/api/v1/documents/{document_id}/figures"): "listFigures",
    ("get", "/api/v1/documents/{document_id}/find"): "findInDocument",
    ("get", "/api/v1/documents/{document_id}/later"): "findSpanInLaterVersion",
    ("get", "/api/v1/documents/{document_id}/notes"): "listDocumentNotes",
    ("post", "/api/v1/documents/{document_id}/notes"): "createNote",
    ("get", "/api/v1/documents/{document_id}/rectangles"): "listRectangles",
    ("post", "/api/v1/documents/{document_id}/retry"): "retryDocument",
    ("get", "/api/v1/documents/{document_id}/sentences"): "listSentences",
    ("get", "/api/v1/documents/{document_id}/tables"): "listTables",
    ("get", "/api/v1/documents/{document_id}/text"): "getText",
    ("post", "/api/v1/embed/links"): "createSignedLink",
    ("post", "/api/v1/feedback"): "createFeedback",
    ("delete", "/api/v1/feedback/{id}"): "deleteFeedback",
    ("post", "/api/v1/highlight"): "highlightSentences",
    ("post", "/api/v1/locate"): "locateQuote",
    ("get", "/api/v1/notes"): "listNotes",
    ("delete", "/api/v1/notes/{note_id}"): "deleteNote",
    ("get", "/api/v1/notes/{note_id}"): "getNote",
    ("put", "/api/v1/notes/{note_id}"): "updateNote",
    ("post", "/api/v1/notes/{note_id}/restore"): "restoreNote",
    ("post", "/api/v1/search"): "search",
    ("get", "/api/v1/webhooks"): "listWebhooks",
    ("post", "/api/v1/webhooks"): "createWebhook",
    ("delete", "/api/v1/webhooks/{webhook_id}"): "deleteWebhook",
    ("get", "/api/v1/webhooks/{webhook_id}"): "getWebhook",
    ("get", "/api/v1/webhooks/{webhook_id}/deliveries"): "listWebhookDeliveries",
    ("post", "/api/v1/webhooks/{webhook_id}/ping"): "pingWebhook",
}

# Parameters whose models leave the description out, because their name says it to readers of the code.
PARAMETER_DESCRIPTIONS = {
    "answer_id": "the id of a stored answer",
    "by": "words: the words themselves; meaning: sentences that mean the same",
    "chunk_index": "the chunk, counted from 0",
    "collection": "only documents of this collection",
    "document_id": "the id of a document, as uploads and lists return it",
    "end": "the end of the span, exclusive, in code points of the canonical text",
    "id": "the id of the feedback",
    "kind": "only files of this kind",
    "limit": "the largest number of entries to return",
    "method": "the number that is held against the threshold; by default that of HIGHLIGHT_METHOD",
    "note_id": "the id of a note",
    "offset": "the number of entries to skip",
    "start": "the start of the span, in code points of the canonical text",
    "state": "only documents in one of these states",
    "sub_question": "the question whose evidence is highlighted",
    "webhook_id": "the id of a webhook",
    "v": "the pipeline that the offsets belong to; by default the current one",
}

TAG_DESCRIPTIONS = {
    "documents": "Upload documents, follow their processing, and read their text, chunks, sentences and rectangles.",
    "highlights": "Find the sentences of a text or chunk that answer a question, and record whether that was right.",
    "search": "Find the chunks that answer a question.",
    "webhooks": "Have an address told when documents are ready, fail or are deleted, and when questions are answered.",
    "quotes": "Locate quotes, resolve references, and open the citations of other products.",
    "answers": "Answer questions with citations, and check the answers of any system.",
    "embed": "Create signed links, which open the viewer without a key.",
    "notes": "Keep notes on words of documents.",
}

_QUESTION = "How much does a ticket cost?"
_SENTENCE = "Tickets cost four pounds and are sold on board."
_DOCUMENT_ID = "3f0c1b5e9a7d4c2e"
# A body for each operation that takes JSON, by its id.
REQUEST_EXAMPLES: dict[str, dict[str, Any]] = {
    "createAnswer": {"question": _QUESTION, "collection": "ferries"},
    "checkAnswer": {"answer": "A ticket costs four pounds.", "sources": [{"text": _SENTENCE, "filename": "note.txt"}]},
    "openNativeCitations": {
        "response": {
            "content": [
                {
                    "type": "text",
                    "text": "A ticket costs four pounds.",
                    "citations": [
                        {"type": "char_location", "cited_text": _SENTENCE, "document_index": 0,
                         "document_title": "note.txt", "start_char_index": 0, "end_char_index": 47}
                    ],
                }
            ]
        }
    },
    "resolveReferences": {"text": "A ticket costs four pounds [note, p.1].", "sources": [{"filename": "note.txt"}]},
    "updateDocument": {"metadata": {"client": "Harbour Ltd", "tags": ["ferries"]}},
    "createNote": {
        "body": "Check the price.",
        "target": {"selector": {"type": "TextQuoteSelector", "exact": _SENTENCE}, "styleClass": "yellow"},
    },
    "createSignedLink": {"document_id": _DOCUMENT_ID, "quote": _SENTENCE, "origins": ["https://chat.example.com"]},
    "createFeedback": {
        "document_id": _DOCUMENT_ID, "chunk_index": 0, "start": 0, "end": 47, "question": _QUESTION, "verdict": "right",
    },
    "highlightSentences": {"question": _QUESTION, "text": _SENTENCE},
    "locateQuote": {"quote": _SENTENCE},
    "updateNote": {"body": "Checked.", "shared": True},
    "search": {"question": _QUESTION, "limit": 5},
    "createWebhook": {"url": "https://hooks.example.com/highlighter", "events": ["document.ready", "document.failed"]},
}  # fmt: skip
