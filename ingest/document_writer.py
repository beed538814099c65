"""Embed and store a prepared document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from highlighter.locale import join_messages
from highlighter.models import PARTIAL, PIPELINE_VERSION, READY, Document
from highlighter.store.catalog import (
    DocumentContents,
    DocumentDeleted,
    ReadingOutcome,
    VectorsMissing,
    compute_text_hash,
)
from ingest.context import ProcessingContext
from ingest.embedding import embed_sentences, split_long_sentences
from ingest.preparation import PreparedDocument

ProgressCallback = Callable[[str, int, int], None]  # stage, done, total


def save_prepared_document(
    document: Document,
    prepared: PreparedDocument,
    services: ProcessingContext,
    work: Path,
    progress: ProgressCallback,
    pipeline: int = PIPELINE_VERSION,
    recognition: str = "",
) -> None:
    """Embed the sentences of a document, and save its files and all that was read from it.

    `recognition` says whether pages are still to be recognised.
    """
    sentences = split_long_sentences(prepared.sentences, services.embedder)
    contents = DocumentContents(
        prepared.text, prepared.source_map, prepared.facts, prepared.chunks, sentences, prepared.page_labels
    )
    embed_sentences([sentence.text for _, sentence in sentences], services, progress)
    contents = replace(contents, file_hashes=services.files.save_generated_folder(work, document.id, pipeline))
    note = join_messages([prepared.note, *prepared.warnings])
    state = PARTIAL if prepared.warnings else READY
    outcome = ReadingOutcome(state, note, services.embedder.name, pipeline, recognition)
    try:
        try:
            services.catalog.save_contents(document.id, contents, outcome)
        except VectorsMissing:  # deleted meanwhile with another document that has the same sentences
            embed_sentences([sentence.text for _, sentence in sentences], services, progress)
            services.catalog.save_contents(document.id, contents, outcome)
    except DocumentDeleted:  # before it had sentences with which its vectors could be deleted
        services.catalog.delete_unneeded_vectors(compute_text_hash(sentence.text) for _, sentence in sentences)
        raise
