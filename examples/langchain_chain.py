"""python -m examples.langchain_chain "Who pays for delay?": a chain that retrieves, answers and links its citations.

The library is that of HIGHLIGHTER_URL, else of DATA_DIR. Replace `write` by your chat model.
"""

from __future__ import annotations

import sys

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from highlighter.adapters.langchain import HighlighterRetriever, citation_links
from highlighter.adapters.library import library


def write(documents: list[Document]) -> str:
    """In the place of a model: it says what is lit, and cites by number."""
    sentences = [
        f"{one.metadata['lit'][0]['text']} [{at}]" for at, one in enumerate(documents, 1) if one.metadata["lit"]
    ]
    return " ".join(sentences) or "The documents do not say."


def main(question: str) -> None:
    with library() as found:
        retriever = HighlighterRetriever(library=found, limit=3)
        chain = retriever | RunnableLambda(lambda documents: (write(documents), documents))
        answer, documents = chain.invoke(question)
    print(answer, "\n")
    for one in citation_links(answer, documents):
        source = f"{one.document.metadata['source']}, page {one.page}: {one.links['self']}" if one.document else one.why
        print(f"{one.label}  {source}")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "How much is paid for each day of delay?")
