"""The attacks in full, for `make soak`: each vector by itself in each place, 10,000 mutated tokens, 500 idle clients.

python -m tests.attacks              # some twenty minutes
python -m tests.attacks --every 20   # each twentieth vector, instruction and token: a minute or two
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tqdm import tqdm

from highlighter.app import create_app
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.signed_links import DOCUMENT_SCOPE, Grant
from highlighter.workers.process_pool import ProcessPool
from ingest.pipeline import ingest_file
from tests.attacks.attacked_site import AttackedSite, attacked_site, join_as_answer
from tests.attacks.canary import listening
from tests.attacks.script_watch import ScriptWatch
from tests.attacks.test_poisoned_documents import attack as attack_by_document
from tests.attacks.test_poisoned_documents import list_instructions
from tests.attacks.test_requests_out import list_files
from tests.attacks.test_smuggling import AMBIGUOUS, read_responses
from tests.attacks.test_tampering import SECRET, count_valid_links, mutate, replace_each_letter
from tests.attacks.vectors import VECTORS
from tests.browser.chromium import launch
from tests.conftest import write_note
from tests.highlighter.web.auth.clients import client_with_key
from tests.scripted.server import ScriptedProvider

Row = tuple[str, str, bool]  # what is wanted, the figure, whether it was reached
TOKENS, IDLE_CLIENTS, ANSWERED_VECTORS = 10_000, 500, 12
READ_TIMEOUT_SECONDS = 30


def run(every: int = 1) -> list[Row]:
    """Attack in full, or with each n-th vector, instruction and token, and return what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        rows = attack_pages(Path(folder), VECTORS[::every])
        rows += attack_library(Path(folder), every)
    return rows


def attack_pages(folder: Path, vectors: list[str]) -> list[Row]:
    """Attack a running service in a browser and over its socket."""
    with sync_playwright() as driver, attacked_site(folder / "site") as site:
        browser = launch(driver)
        control, watch = ScriptWatch(home="http://localhost"), ScriptWatch(home=site.address)
        unescaped = control.watch(browser.new_context())
        for vector in vectors:
            unescaped.set_content(vector)
            control.look(unescaped)
        page = watch.watch(browser.new_context())
        visit_everything(site, page, watch, vectors, folder)
        browser.close()
        port = int(site.address.rpartition(":")[2])
        smuggled = [name for name, sent in AMBIGUOUS.items() if "<svg" in read_responses(port, sent)[1]]
        answered = count_answers_beside_idle_clients(port)
    return [
        (f"0 of {len(vectors)} vectors run ({len(control.executed)} do on a page that escapes nothing)",
         f"{len(watch.executed)} in {watch.visits} visits", not watch.executed),
        ("0 vectors become markup, a link that runs, or a request elsewhere", f"{len(watch.found)} {watch.found[:3] or ''}", not watch.found),
        (f"0 of {len(AMBIGUOUS)} ambiguous requests smuggle another", f"{len(smuggled)} {smuggled or ''}", not smuggled),
        (f"20 of 20 requests are answered beside {IDLE_CLIENTS} idle clients", str(answered), answered == 20),
    ]  # fmt: skip


def visit_everything(site: AttackedSite, page: Page, watch: ScriptWatch, vectors: list[str], folder: Path) -> None:
    """Visit all that is stored, and each vector by itself wherever an address can hand it over."""
    id = site.documents["all"]
    stored = [*site.list_stored_sinks(), *(f"/documents/{id}/chunks/{index}" for index in range(site.count_chunks(id)))]
    for path in tqdm(stored, "stored texts", unit="page"):
        watch.visit(page, site.address + path)
    for vector in tqdm(vectors, "addresses", unit="vector"):
        for path in site.list_reflected_sinks(vector):
            watch.visit(page, site.address + path)
    for start in tqdm(range(0, len(vectors), ANSWERED_VECTORS), "answers", unit="answer"):
        few = vectors[start : start + ANSWERED_VECTORS]
        answer = site.ask(join_as_answer(few), " ".join(few))
        watch.visit(page, f"{site.address}/answers/{answer}")
        watch.visit(page, site.unpack_answer(answer, folder).as_uri())


def count_answers_beside_idle_clients(port: int) -> int:
    """Return how many of 20 requests are answered while many clients have sent half a request."""
    with ExitStack() as clients:
        for _ in range(IDLE_CLIENTS):
            client = clients.enter_context(socket.create_connection(("127.0.0.1", port), timeout=READ_TIMEOUT_SECONDS))
            client.sendall(b"GET / HTTP/1.1\r\nHost: local")
        answers = 0
        for _ in range(20):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=READ_TIMEOUT_SECONDS) as answer:
                answers += answer.status == 200
        return answers


def attack_library(folder: Path, every: int) -> list[Row]:
    """Attack a library in this process: with changed tokens, with addresses, and by documents that a model obeys."""
    tokens = TOKENS // every
    instructions = list_instructions()[::every]
    with listening() as canary, open_library(folder) as (services, pool, scripted):
        ingest_file(write_note(folder), services, pool)
        files = list_files(canary.url)
        for name, content in tqdm(files.items(), "addresses in documents", unit="file"):
            path = folder / name
            path.write_bytes(content)
            document = ingest_file(path, services, pool).document
            for address in ("chunks/0", "pages/1.png", "pdf", "original"):
                with create_app(services).test_client().get(f"/documents/{document.id}/{address}"):
                    pass
        requests_by_documents = len(canary.requests)
        wrong = []
        for instruction in tqdm(instructions, "poisoned documents", unit="document"):
            wrong += attack_by_document(services, scripted, instruction, canary.url)
        opened = count_opened_by_mutants(services, tokens)
        opened_by_replacing, replaced = count_opened_by_replacing(services)
        calls = len(canary.requests) - requests_by_documents
    return [
        (f"0 requests to addresses in {len(files)} documents", str(requests_by_documents), requests_by_documents == 0),
        (f"0 requests by a model that obeys {len(instructions)} poisoned documents", str(calls), calls == 0),
        ("0 forged citations, each document named to the reader", f"{len(wrong)} {sorted(set(wrong))[:3] or ''}", not wrong),
        (f"0 of {tokens} changed keys and links open anything", str(opened), opened == 0),
        (f"0 of {replaced} links and keys with one letter replaced by another open anything", str(opened_by_replacing), opened_by_replacing == 0),
    ]  # fmt: skip


@contextmanager
def open_library(folder: Path) -> Iterator[tuple[Services, ProcessPool, ScriptedProvider]]:
    scripted, pool = ScriptedProvider(), ProcessPool(workers=1, seconds=60, memory_mb=1024)
    settings = Settings(
        data_dir=folder / "library", ocr=False, allow_instructing_sources=True, rate_link="1000000/second",
        **scripted.settings("openai/m"),
    )  # fmt: skip
    services = Services(settings, Embedder())
    try:
        yield services, pool, scripted
    finally:
        services.close()
        pool.close()
        scripted.close()


def count_opened_by_replacing(services: Services) -> tuple[int, int]:
    """Replace each letter of a link and of a key by each other letter; return how many open anything, of how many."""
    grant = Grant(DOCUMENT_SCOPE, "default", "d" * 32, question=SECRET, expires=int(time.time()) + 24 * 3600)
    links = list(replace_each_letter(services.link_keys.sign(grant)))
    opened = count_valid_links(services.link_keys, tqdm(links, "replaced letters of a link", unit="token"))
    _, key = services.api_keys.create_key("Reader", ["admin"])
    keys = list(replace_each_letter(key))
    opened += sum(
        services.api_keys.find_principal(mutant) is not None for mutant in tqdm(keys, "... of a key", unit="token")
    )
    return opened, len(links) + len(keys)


def count_opened_by_mutants(services: Services, count: int) -> int:
    """Return how many of so many changed keys and links open anything, half of them links."""
    app = create_app(services)
    token = (
        client_with_key(app, "read").post("/api/v1/embed/links", json={"quote": SECRET}).json["path"].rpartition("/")[2]
    )
    reader, opened = app.test_client(), 0
    for mutant in tqdm(mutate(token, 20)[: count // 2], "links", unit="token"):
        opened += SECRET in reader.get(f"/embed/{mutant}").text
    rest = count - count // 2
    while rest > 0:  # a key has some thousand neighbours
        _, key = services.api_keys.create_key("Reader", ["admin"])
        mutants = mutate(key, 20)[:rest]
        opened += sum(services.api_keys.find_principal(mutant) is not None for mutant in mutants)
        rest -= len(mutants)
    return opened


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth vector, instruction and token")
    rows = run(parser.parse_args().every)
    for goal, figure, is_reached in rows:
        print(f"{'ok    ' if is_reached else 'FAILED'}  {goal}: {figure}")
    return 0 if all(row[2] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
