"""python -m examples.haystack_pipeline "Who pays for delay?": documents of your own store, highlighted and linked.

The library is that of HIGHLIGHTER_URL, else of DATA_DIR. Haystack's retriever finds the documents; those without evidence are
dropped. LibraryRetriever of the same module takes the place of the retriever where the library itself is searched.
"""

from __future__ import annotations

import sys

from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from highlighter.adapters.haystack import DocumentHighlighter
from highlighter.adapters.library import library

TEXTS = (  # the second one stands in samples/Harbour Works Contract.pdf
    "The site is opened at seven.",
    "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200.",
)


def main(question: str, *texts: str) -> None:
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=text) for text in texts or TEXTS])
    with library() as found:
        pipeline = Pipeline()
        pipeline.add_component("retriever", InMemoryBM25Retriever(store))
        pipeline.add_component("highlighter", DocumentHighlighter(found, drop=True))
        pipeline.connect("retriever.documents", "highlighter.documents")
        results = pipeline.run({"retriever": {"query": question}, "highlighter": {"query": question}})
    for document in results["highlighter"]["documents"]:
        print(f"\n{document.meta['lit'][0]['text']}")
        print(document.meta["links"].get("self", "No document of the library says this."))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["How much is paid for each day of delay?"]))
