"""A Model Context Protocol server: search, highlight, locate and ask, for assistants that call tools."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from pydantic import Field

from highlighter.adapters import needs
from highlighter.adapters.library import Library
from highlighter.adapters.told import Answered, Highlighted, LocatedQuote, Passages, answered, highlighted, located
from highlighter.adapters.told import passages as as_passages
from highlighter.api.schemas import MAX_TEXT, ChunkIndex, Question
from highlighter.errors import HighlighterError
from highlighter.search import MOST

with needs("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations

INSTRUCTIONS = (
    "A library of documents in which every sentence can be opened, lit, in its place. Cite by the links that come with"
    " each result: whoever follows one sees the sentence itself. What is not found is not there: do not make it up."
)
LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
KEEPS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)  # an answer given is kept

FEW = 5  # passages, unless told: a model has to read them all
Limit = Annotated[int, Field(ge=1, le=MOST, description="how many passages at most")]
Collection = Annotated[str, Field(description="only this collection of the library")]
DocumentId = Annotated[str, Field(max_length=64, description="as a search returns it")]


def server(library: Library) -> MCPServer:
    """With `.run()` it answers on standard input and output."""
    made = MCPServer("highlighter", instructions=INSTRUCTIONS, log_level="WARNING")

    @_tool(made, LOOKS)
    def search(question: Question, limit: Limit = FEW, collection: Collection = "") -> Passages:
        """Find the passages of the library that answer a question, each with its best sentences and links that open
        them lit."""
        return as_passages(library.search(question, limit=limit, collection=collection), library)

    @_tool(made, LOOKS)
    def highlight(
        question: Question,
        text: Annotated[str, Field(max_length=MAX_TEXT, description="a text of your own")] = "",
        document_id: DocumentId = "",
        chunk_index: ChunkIndex | None = None,
    ) -> Highlighted:
        """Which sentences answer a question: of a text, or of a passage (document_id and chunk_index)."""
        stored = document_id != "" and chunk_index is not None
        if bool(text) == stored or (text and document_id):
            raise ToolError("Give either text, or document_id and chunk_index.")
        return highlighted(library.highlight(question, text, document_id=document_id, chunk_index=chunk_index), library)

    @_tool(made, LOOKS)
    def locate(quote: Annotated[str, Field(min_length=1)], document_id: DocumentId = "") -> LocatedQuote:
        """Where a quote stands, in one document or in all, how surely, and what differs. Tier "none": nobody says it."""
        return located(library.locate(quote, document_id), library)

    @_tool(made, KEEPS)
    def ask(question: Question, collection: Collection = "") -> Answered:
        """Answer a question from the library: every claim checked, every citation with its sentence and a link."""
        how = {"collection": collection} if collection else {}
        return answered(library.ask(question, **how), library)

    return made


def _tool(made: MCPServer, annotations: ToolAnnotations) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A tool whose refusals are told to whoever called it, in our words."""

    def register(work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def told(**arguments: Any) -> Any:
            try:
                return work(**arguments)
            except HighlighterError as err:
                raise ToolError(err.detail) from err

        return made.tool(annotations=annotations)(told)

    return register
