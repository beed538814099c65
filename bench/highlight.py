"""The highlight request with loaded models, compared with encoding the chunk's sentences at each click."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from bench.stores import fill_store
from bench.table import Row, format_ms, format_p50_p99, percentile, time_in_turn
from highlighter.app import create_app
from highlighter.embedding.embedder import FULL_PRECISION_MODEL, Embedder
from highlighter.models import Document
from highlighter.services import Services
from highlighter.settings import Settings

ROUNDS, REPEATED_ROUNDS = 150, 600


def rows(folder: Path, largest: int = 100_000) -> list[Row]:
    embedder = Embedder()
    embedder.load()
    table_rows, medians = [], []
    for size in (1_000, 10_000, 100_000):
        if size > largest:
            continue
        services = Services(Settings(data_dir=folder / f"store-{size}"), embedder)
        documents = fill_store(services, size)
        full, quick, baseline = _measure_new_questions(services, documents, size)
        medians.append(percentile(full, 0.5))
        for variant, seconds, goal in (("", full, "≤ 45 ms"), (", JOINT=0", quick, "≤ 10 ms, ≥ 5x faster")):
            table_rows.append(
                Row(
                    f"highlight, new question, {size:,} sentences stored{variant} (p50 / p99)",
                    format_p50_p99(seconds),
                    f"SentenceTransformer at each click {format_p50_p99(baseline)}",
                    f"{percentile(baseline, 0.5) / percentile(seconds, 0.5):.1f}x faster",
                    goal,
                )
            )
        if size == min(largest, 100_000):
            table_rows.append(_measure_repeated_question(services, documents))
        services.close()
    table_rows.append(
        Row(
            "... and as the store grows",
            format_ms(medians[-1]),
            f"smallest store {format_ms(medians[0])}",
            f"{medians[-1] / medians[0]:.2f}x",
            "flat",
        )
    )
    return table_rows


def _measure_new_questions(services: Services, documents: list[Document], size: int) -> list[list[float]]:
    """Return the seconds of the same request in three variants.

    The variants are: as it is; without the joint model; and a baseline that encodes the chunk's sentences at each click
    by sentence-transformers and compares them by cosine.
    """
    baseline_services = Services(
        replace(services.settings, highlight_method="cosine", joint=False), Embedder(FULL_PRECISION_MODEL)
    )
    baseline_services.embedder.load()
    quick = Services(replace(services.settings, joint=False), services.embedder)
    clients = [create_app(variant).test_client() for variant in (services, quick, baseline_services)]
    rng = random.Random(7)

    def make_request(client: FlaskClient, word: str) -> Callable[[int], None]:
        def call(number: int) -> None:
            document = rng.choice(documents)
            chunk = rng.randrange(document.chunks)
            response = client.get(_build_url(document.id, chunk, f"When is the {word} {number} of quay {size} due?"))
            assert response.status_code == 200, response.get_data(as_text=True)

        return call

    time_in_turn(10, *(make_request(client, "warm") for client in clients))
    return time_in_turn(ROUNDS, *map(make_request, clients, ("payment", "notice", "report")))


def _measure_repeated_question(services: Services, documents: list[Document]) -> Row:
    """Compare a repeated question to a chunk with a Flask application that returns an empty page at the same address."""
    url = _build_url(documents[0].id, 3, "When is the payment due?")
    client = create_app(services).test_client()
    empty_app = Flask("empty")
    empty_app.add_url_rule(url.partition("?")[0], view_func=lambda: "")
    empty_client = empty_app.test_client()
    time_in_turn(20, lambda _: client.get(url), lambda _: empty_client.get(url))
    repeated, empty_page = time_in_turn(REPEATED_ROUNDS, lambda _: client.get(url), lambda _: empty_client.get(url))
    ratio = percentile(repeated, 0.5) / percentile(empty_page, 0.5)
    return Row(
        "highlight, question seen before (p50 / p99)",
        format_p50_p99(repeated),
        f"empty Flask page {format_p50_p99(empty_page)}",
        f"{ratio:.2f}x",
        "≤ 2x",
    )


def _build_url(document_id: str, chunk: int, question: str) -> str:
    from urllib.parse import urlencode

    query = {"document_id": document_id, "chunk_index": chunk, "sub_question": question}
    return f"/api/v1/chunks/highlight?{urlencode(query)}"
