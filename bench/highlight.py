"""The highlight request, warm: against embedding the chunk's sentences at each click, as the store grows."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from flask import Flask

from bench.stores import fill
from bench.table import Row, in_turn, ms, p50_p99, percentile
from highlighter.app import create_app
from highlighter.embedding.embedder import FULL_PRECISION_MODEL, Embedder
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS, ROUNDS_SEEN = 150, 600


def rows(folder: Path, largest: int = 100_000) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    found, medians = [], []
    for size in (1_000, 10_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"store-{size}"), embedder)
        documents = fill(services, size)
        whole, quick, at_each_click = _new_questions(services, documents, size)
        medians.append(percentile(whole, 0.5))
        for what, took, goal in (("", whole, "≤ 45 ms"), (", JOINT=0", quick, "≤ 10 ms, ≥ 5x faster")):
            found.append(
                Row(
                    f"highlight, new question, {size:,} sentences stored{what} (p50 / p99)",
                    p50_p99(took),
                    f"SentenceTransformer at each click {p50_p99(at_each_click)}",
                    f"{percentile(at_each_click, 0.5) / percentile(took, 0.5):.1f}x faster",
                    goal,
                )
            )
        if size == min(largest, 100_000):
            found.append(_seen(services, documents))
        services.close()
    found.append(
        Row(
            "... and as the store grows",
            ms(medians[-1]),
            f"smallest store {ms(medians[0])}",
            f"{medians[-1] / medians[0]:.2f}x",
            "flat",
        )
    )
    return found


def _new_questions(services: Services, documents, size: int) -> list[list[float]]:
    """The same request three times: as it comes, without the joint model, and as is usual: the chunk's sentences
    embedded at each click, by sentence-transformers, and compared by cosine."""
    usual = Services(replace(services.settings, highlight_method="cosine", joint=False), Embedder(FULL_PRECISION_MODEL))
    usual.embedder.load()
    quick = Services(replace(services.settings, joint=False), services.embedder)
    doors = [create_app(one).test_client() for one in (services, quick, usual)]
    drawn = random.Random(7)

    def asking(door, word):
        def call(number: int):
            document = drawn.choice(documents)
            chunk = drawn.randrange(document.chunks)
            answer = door.get(_address(document.id, chunk, f"When is the {word} {number} of quay {size} due?"))
            assert answer.status_code == 200, answer.get_data(as_text=True)

        return call

    in_turn(10, *(asking(door, "warm") for door in doors))
    return in_turn(ROUNDS, *map(asking, doors, ("payment", "notice", "report")))


def _seen(services: Services, documents) -> Row:
    """A question seen before, on a chunk seen before, against a Flask application that answers an empty page."""
    client = create_app(services).test_client()
    empty = Flask("empty")
    empty.add_url_rule("/", view_func=lambda: "")
    nothing = empty.test_client()
    address = _address(documents[0].id, 3, "When is the payment due?")
    in_turn(20, lambda _: client.get(address), lambda _: nothing.get("/"))
    seen, page = in_turn(ROUNDS_SEEN, lambda _: client.get(address), lambda _: nothing.get("/"))
    ratio = percentile(seen, 0.5) / percentile(page, 0.5)
    return Row(
        "highlight, question seen before (p50 / p99)",
        p50_p99(seen),
        f"empty Flask page {p50_p99(page)}",
        f"{ratio:.2f}x",
        "≤ 2x",
    )


def _address(document_id: str, chunk: int, question: str) -> str:
    from urllib.parse import urlencode

    query = {"document_id": document_id, "chunk_index": chunk, "sub_question": question}
    return f"/api/v1/chunks/highlight?{urlencode(query)}"
