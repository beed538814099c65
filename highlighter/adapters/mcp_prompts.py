"""The MCP prompts: what a person chooses in an assistant, so that it uses the tools well."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from highlighter.adapters import require_package

with require_package("mcp"):
    from mcp.server.mcpserver import MCPServer

ANSWER_PROMPT = """Answer this question from the library alone: {question}

Use the tool search (several times, with other words, if the first result does not answer). Say only what the passages say. \
After each statement, cite the sentence it rests on as a Markdown link: the document's name and page as its text, and the \
link "self" of the passage, as it came. If the library does not answer the question, or answers only a part of it, say so. At \
the end, use the tool check on your answer with the passages (document_id and chunk_index) as its sources, and correct or \
leave out every claim that is not supported."""
CHECK_PROMPT = """Check this answer against the library:

{answer}

If it has citations, use the tool open_citations. Otherwise search for the passages that each statement should rest on, and \
use the tool check with them (document_id and chunk_index) as sources; use the tool locate for words in quotation marks. Then \
list every statement with its verdict, the sentence of the library that decides, and the link that opens it. Do not \
judge a statement by what you know yourself."""


def register_prompts(server: MCPServer) -> None:
    """Add the prompts to a server."""

    @server.prompt(
        title="Answer with citations", description="Answer a question from the library, citing every sentence."
    )
    def answer_with_citations(question: Annotated[str, Field(description="what you want to know")]) -> str:
        return ANSWER_PROMPT.format(question=question)

    @server.prompt(
        title="Check this answer", description="Check an answer, statement by statement, against the library."
    )
    def check_answer(answer: Annotated[str, Field(description="with its citations, if it has any")]) -> str:
        return CHECK_PROMPT.format(answer=answer)
