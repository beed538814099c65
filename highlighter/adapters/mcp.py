"""The Model Context Protocol server of a library: its tools, resources and prompts, for assistants."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from highlighter.access import ANSWER
from highlighter.adapters import require_package
from highlighter.adapters.library import Library
from highlighter.adapters.mcp_prompts import register_prompts
from highlighter.adapters.mcp_resources import make_resource_lister, register_resources
from highlighter.adapters.mcp_results import (
    AnswerResult,
    CheckResult,
    HighlightResults,
    LocateResult,
    NoteResults,
    OpenedCitationResults,
    SearchResults,
    build_answer_result,
    build_check_result,
    build_highlight_results,
    build_locate_result,
    build_note_results,
    build_opened_citation_results,
    build_search_results,
)
from highlighter.adapters.mcp_server import LibraryServer
from highlighter.native_formats.source_fields import MAX_SOURCES
from highlighter.schemas.checks import CheckedSource
from highlighter.schemas.search import MAX_TEXT_CHARACTERS, ChunkIndex, Question
from highlighter.search import MAX_HITS
from highlighter.version import __version__

with require_package("mcp"):
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations

INSTRUCTIONS = (
    "A library of documents in which every sentence can be opened and highlighted in its place. "
    "Cite with the links that come with each result: they open the sentence itself. Do not make "
    "up what is not found."
)
READ_ONLY_TOOL = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# Not read-only, because answers are stored.
RECORDING_TOOL = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

DEFAULT_LIMIT = 5  # passages; few, because the model reads them all
Limit = Annotated[int, Field(ge=1, le=MAX_HITS, description="how many passages at most")]
Collection = Annotated[str, Field(description="only this collection of the library")]
Answer = Annotated[str, Field(min_length=1, description="with its citation markers, if it has any")]
DocumentId = Annotated[str, Field(max_length=64, description="as a search returns it")]


def _convert_source(source: Any) -> Any:
    """Return a text as a source with that text."""
    if isinstance(source, str):
        return {"text": source}
    if not isinstance(source, dict):
        raise ValueError("give a text, or an object with text or document_id")
    return source


GivenSource = Annotated[CheckedSource, BeforeValidator(_convert_source, json_schema_input_type=str | CheckedSource)]


def create_server(library: Library, **options: Any) -> LibraryServer:
    """Return the server of a library; its `run()` answers on standard input and output. `options` are those of the SDK's MCPServer."""
    server = LibraryServer(
        name="highlighter",
        title="Highlighter",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        list_resources=make_resource_lister(library),
        **options,
    )
    register_resources(server, library)
    register_prompts(server)

    @server.register_tool(READ_ONLY_TOOL)
    def search(question: Question, limit: Limit = DEFAULT_LIMIT, collection: Collection = "") -> SearchResults:
        """Find the passages of the library that answer a question, each with its best sentences and links that open
        them highlighted."""
        return build_search_results(library.search(question, limit=limit, collection=collection), library)

    @server.register_tool(READ_ONLY_TOOL)
    def highlight(
        question: Question,
        text: Annotated[str, Field(max_length=MAX_TEXT_CHARACTERS, description="a text of your own")] = "",
        document_id: DocumentId = "",
        chunk_index: ChunkIndex | None = None,
    ) -> HighlightResults:
        """Find the sentences of a text, or of a passage (document_id and chunk_index), that answer a question."""
        has_chunk = document_id != "" and chunk_index is not None
        if bool(text) == has_chunk or (text and document_id):
            raise ToolError("Give either text, or document_id and chunk_index.")
        return build_highlight_results(
            library.highlight(question, text, document_id=document_id, chunk_index=chunk_index), library
        )

    @server.register_tool(READ_ONLY_TOOL)
    def locate(
        quote: Annotated[str, Field(min_length=1)],
        document_id: DocumentId = "",
        filename: Annotated[str, Field(max_length=1_000, description="instead of document_id")] = "",
    ) -> LocateResult:
        """Locate a quote in one document or in all, with what differs. Tier "none": no document says it."""
        return build_locate_result(library.locate(quote, document_id, filename=filename), library)

    @server.register_tool(READ_ONLY_TOOL)
    def open_citations(
        response: Annotated[
            Any, Field(description="the response of any model or framework, as it came: JSON or a text")
        ],
        answer: Annotated[str, Field(description="the answer, where the response does not contain it")] = "",
        sources: Annotated[
            list[Any], Field(max_length=MAX_SOURCES, description="what the markers number, in order")
        ] = [],  # noqa: B006 (never changed)
    ) -> OpenedCitationResults:
        """Open the citations of another product's response in the library: of each the document, sentence, verdict and
        link, or why there is none."""
        return build_opened_citation_results(library.open_citations(response, answer=answer, sources=sources), library)

    @server.register_tool(READ_ONLY_TOOL)
    def notes(
        document_id: DocumentId = "", words: Annotated[str, Field(max_length=200, description="in your own notes")] = ""
    ) -> NoteResults:
        """List what readers highlighted and noted: on one document, or without one your own notes with some words."""
        return build_note_results(library.notes(document_id, words=words))

    @server.register_tool(RECORDING_TOOL, ANSWER)
    def ask(question: Question, collection: Collection = "") -> AnswerResult:
        """Answer a question from the library. Every claim is checked; every citation has its sentence and a link."""
        options = {"collection": collection} if collection else {}
        return build_answer_result(library.ask(question, **options), library)

    @server.register_tool(READ_ONLY_TOOL)
    def check(answer: Answer, sources: Annotated[list[GivenSource], Field(min_length=1)]) -> CheckResult:
        """Check an answer, your own too, against its sources: a verdict on every claim, with the sentences that decide.
        A source is a text, or an object with text, or with document_id and chunk_index of the library."""
        return build_check_result(library.check(answer, [source.model_dump(exclude_none=True) for source in sources]))

    return server
