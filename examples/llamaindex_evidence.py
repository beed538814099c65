"""python -m examples.llamaindex_evidence "Who pays for delay?": nodes of your own index, highlighted and linked.

The library is that of HIGHLIGHTER_URL, else of DATA_DIR. LlamaIndex's splitter makes the nodes from files
named after the question (or a text below); those without evidence are dropped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import Document, NodeWithScore

from highlighter.adapters.library import library
from highlighter.adapters.llamaindex import HighlighterPostprocessor

TEXT = (  # the middle one stands in samples/Harbour Works Contract.pdf
    "The site is opened at seven. For each day from the Completion Date until Completion the Contractor pays delay damages"
    " of £4,200. The gate is locked at night."
)


def main(question: str, *files: str) -> None:
    documents = [Document(text=Path(one).read_text(encoding="utf-8"), id_=one) for one in files]
    nodes = SentenceSplitter(chunk_size=64, chunk_overlap=0).get_nodes_from_documents(
        documents or [Document(text=TEXT)]
    )
    with library() as found:
        highlighting = HighlighterPostprocessor(library=found, drop=True)
        evidence_nodes = highlighting.postprocess_nodes([NodeWithScore(node=one) for one in nodes], query_str=question)
    print(f"{len(evidence_nodes)} of {len(nodes)} nodes answer.")
    for one in evidence_nodes:
        print(f"\n{one.node.metadata['lit'][0]['text']}")
        print(one.node.metadata["links"].get("self", "No document of the library says this."))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["How much is paid for each day of delay?"]))
