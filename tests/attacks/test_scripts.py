"""Markup runs nowhere and is shown as it was written: in documents and their fields, names, notes, questions and answers.

`python -m tests.attacks` does the same with each vector by itself.
"""

from __future__ import annotations

import re
import zipfile
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt

from tests.attacks.attacked_site import MAX_VALUE_CHARACTERS, QUESTION, attacked_site, join_as_answer
from tests.attacks.script_watch import ScriptWatch, count_shown
from tests.attacks.vectors import VECTORS, WRITTEN, group_vectors

pytestmark = pytest.mark.slow  # starts a server
GROUPS = group_vectors(MAX_VALUE_CHARACTERS)
QUESTIONS = group_vectors(400)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with attacked_site(tmp_path_factory.mktemp("attacked")) as attacked:
        yield attacked


@pytest.fixture(scope="module")
def stored_answer(site, tmp_path_factory):
    """The address of an answer that holds a vector of each kind, and the page of its unpacked evidence pack."""
    answer = site.ask(join_as_answer(WRITTEN[3::60]), QUESTIONS[0])
    return f"{site.address}/answers/{answer}", site.unpack_answer(answer, tmp_path_factory.mktemp("answer"))


@pytest.fixture
def watch(site):
    return ScriptWatch(home=site.address)


@pytest.fixture
def page(browser, watch):
    """A page; what ran on it or could run fails the test at its end."""
    context = browser.new_context()
    yield watch.watch(context)
    context.close()
    assert (watch.executed, watch.found) == ([], [])


def test_vectors_run_where_nothing_is_escaped(browser):
    """What the other tests look for is found on a page that shows the vectors as markup."""
    watch, context = ScriptWatch(home="http://localhost"), browser.new_context()
    page = watch.watch(context)
    for vector in WRITTEN[:40]:
        page.set_content(vector)
        watch.look(page)
    context.close()
    assert len(watch.executed) > 20
    assert len(watch.found) > 30


def test_document_shows_every_vector_as_it_is_written(site, page, watch):
    id = site.documents["all"]
    chunks = range(site.count_chunks(id))
    shown = "".join(watch.visit(page, f"{site.address}/documents/{id}/chunks/{index}") for index in chunks)
    assert count_shown(WRITTEN, shown) == len(WRITTEN)


def test_stored_texts_are_no_markup(site, page, watch):
    notes = watch.visit(page, f"{site.address}/notes")
    assert count_shown(VECTORS, notes) == len(VECTORS)
    for path in site.list_stored_sinks():
        watch.visit(page, site.address + path)


def test_texts_in_addresses_are_no_markup(site, page, watch):
    for number, group in enumerate(GROUPS):
        for path in list(site.list_reflected_sinks(group))[number % 3 :: 3]:
            watch.visit(page, site.address + path)


def test_answers_and_their_evidence_packs_are_no_markup(stored_answer, page, watch):
    answer, pack = stored_answer
    for address in (answer, pack.as_uri()):
        shown = watch.visit(page, address)
        assert count_shown(QUESTIONS[0].split(), shown) == len(QUESTIONS[0].split())


def test_markdown_and_word_files_hold_hostile_texts_as_words(site, stored_answer):
    """Programs that show Markdown with HTML, or open links of a Word file, find neither."""
    folder = stored_answer[1].parent
    notes = [site.http.get(path).text for path in ("/notes.md", f"/documents/{site.documents['all']}/notes.md")]
    for markdown in (*notes, *(path.read_text(encoding="utf-8") for path in folder.rglob("*.md"))):
        assert len(markdown) > 1_000
        assert list_foreign_markdown(markdown, site.address) == []
    with zipfile.ZipFile(folder / "answer.docx") as word:
        parts = {name: word.read(name).decode() for name in word.namelist() if name.endswith((".xml", ".rels"))}
    targets = re.findall(
        r'Target="([^"]*)" TargetMode="External"|TargetMode="External"[^>]*Target="([^"]*)"', "".join(parts.values())
    )
    assert targets
    assert [target for pair in targets for target in pair if target and not target.startswith("documents/")] == []
    assert [name for name, text in parts.items() if "w:fldSimple" in text or "w:altChunk" in text] == []
    fields = re.findall(r"<w:instrText[^>]*>([^<]*)", "".join(parts.values()))
    assert [field for field in fields if field.strip().split()[:1] not in (["PAGE"], ["NUMPAGES"])] == []


def list_foreign_markdown(markdown: str, home: str) -> list[str]:
    """Return the HTML, pictures and links elsewhere that a reader of Markdown finds, who allows HTML."""
    found = []
    for block in MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").parse(markdown):
        for token in (block, *(block.children or ())):
            target = str(token.attrs.get("href", ""))
            is_elsewhere = bool(urlsplit(target).scheme or urlsplit(target).netloc) and not target.startswith(home)
            if token.type in ("html_block", "html_inline", "image") or is_elsewhere:
                found.append(token.content or target)
    return found


def test_streamed_answer_and_frame_are_no_markup(site, page, watch):
    site.play_answer(join_as_answer(WRITTEN[7::60]))
    watch.visit(page, f"{site.address}/?q={QUESTION}", wait_for=".answer .chip")
    link = {"document_id": site.documents["all"], "question": QUESTIONS[2]}
    signed = site.http.post("/api/v1/embed/links", json=link).raise_for_status().json()["path"]
    watch.visit(page, site.address + signed)


def test_programs_get_hostile_texts_as_data(site):
    """Browsers take no response for a page that is none, whatever is in it."""
    id, hostile = site.documents["all"], "<script>hit(0)</script>"
    answer = site.ask(hostile)
    api = f"/api/v1/documents/{id}"
    for path in (api, f"{api}/text", f"{api}/chunks", f"{api}/notes", f"{api}/{hostile}", f"/api/v1/answers/{answer}",
                 f"/documents/{id}/notes.md", f"/documents/{id}/notes.jsonld", f"/documents/{id}/original",
                 f"/documents/{site.documents['html']}/original", f"/documents/{site.documents['md']}/original",
                 f"/api/v1/search?{hostile}"):  # fmt: skip
        response = site.http.get(path)
        assert response.headers["X-Content-Type-Options"] == "nosniff", path
        assert response.headers["Content-Type"].partition(";")[0] not in (
            "text/html",
            "application/xhtml+xml",
            "text/xml",
        ), path
        assert "script-src" not in response.headers["Content-Security-Policy"]
