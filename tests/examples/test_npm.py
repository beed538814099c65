"""The npm package as it is published, in new projects with Vite (React, Vue) and Next, and in the servers of pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import READ_WITHIN
from tests.browser.serving import ROOT, free_port, running, serving
from tests.examples.npm_projects import MISSING, TEMPLATES, find_program, install_project, pack, run_npm

pytestmark = [pytest.mark.integrations, pytest.mark.npm]

FIRST, SECOND = "[Harbour Works Contract, p.3]", "[Harbour Works Contract, p.2]"
ANSWER = (f"For each day of delay the Contractor pays £4,200 {FIRST}. "
          f"It must warn of any such matter within two working days {SECOND}.")  # fmt: skip
HIGHLIGHTED = "delay damages of £4,200"
QUOTE = "An early warning is given within two working days of the matter becoming known"


@pytest.fixture(scope="module")
def service(tmp_path_factory, samples_folder):
    """The URL of a service with the samples, which requires a key, and the key."""
    folder = tmp_path_factory.mktemp("service") / "data"
    shutil.copytree(samples_folder, folder)
    environment = {**os.environ, "DATA_DIR": str(folder)}
    command = [sys.executable, "-m", "highlighter", "keys", "make", "Pages", "--scope", "read"]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    with serving(folder, REQUIRE_KEYS="1") as url:
        yield url, re.search(r"hk_\S+", made.stdout).group()


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return pack(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def express(tmp_path_factory, package):
    """The folder of the Express example, installed; the handler's types fit Express and Next."""
    folder = install_project("servers", tmp_path_factory.mktemp("express"), package)
    run_npm(folder, "run", "check")
    shutil.copytree(ROOT / "examples" / "express", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def start_host(service, tmp_path):
    """A function that runs the server of a page until the block ends, at http://localhost:PORT."""

    def start(command: list[str], port: int, folder=ROOT, **environment: str):
        url, key = service
        given = {"HIGHLIGHTER_URL": url, "HIGHLIGHTER_KEY": key, "PORT": str(port), **environment}
        return running(command, given, f"http://localhost:{port}/", tmp_path / "host.log", folder)

    return start


@pytest.fixture
def watched_page(browser, service):
    """A page in a high window, whose requests never carry the key."""
    page = browser.new_page(viewport={"width": 1024, "height": 2400})
    carried: list[str] = []
    page.on("request", lambda request: carried.append(f"{request.url} {request.headers} {request.post_data}"))
    yield page
    page.close()
    assert carried
    assert not [one for one in carried if service[1] in one]


def test_package_holds_scripts_and_types_of_its_exports(package):
    with tarfile.open(package) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
        style = opened.extractfile("package/dist/style.js").read().decode()
        script = opened.extractfile("package/dist/embed.js").read().decode()
    described = json.loads((ROOT / "packages" / "embed" / "package.json").read_text(encoding="utf-8"))
    exported = re.findall(r'"\./([\w./-]+)"', json.dumps(described["exports"]))
    assert {path for path in exported if "." in path} <= names
    assert {"LICENSE", "README.md", "dist/embed_attach.js"} <= names
    assert "prepack.js" not in names
    assert ".highlighter-citation" in style
    assert "import.meta.url" not in script  # bundlers move scripts away from their style sheets


# How the components are rendered on a server, where there is no element to define.
ON_SERVER = {
    "react": """import { createElement as h } from "react";
      import { renderToString } from "react-dom/server";
      import { CitationViewer, Citations } from "@highlighter/embed/react";
      console.log(renderToString(h(Citations, { resolve() {} }, "So [1].", h(CitationViewer, { src: "/x", theme: "dark" }))))""",
    "vue": """import { createSSRApp, h } from "vue";
      import { renderToString } from "vue/server-renderer";
      import { CitationViewer, Citations } from "@highlighter/embed/vue";
      const viewer = () => ["So [1].", h(CitationViewer, { src: "/x", theme: "dark" })];
      console.log(await renderToString(createSSRApp(() => h(Citations, { resolve() {} }, viewer))))""",
}


@pytest.mark.parametrize("template", ["react", "vue"])
def test_new_project_is_checked_built_and_shows_cited_sentence(
    template, package, express, start_host, tmp_path, watched_page
):
    project = install_project(template, tmp_path, package)
    run_npm(project, "run", "check")
    run_npm(project, "run", "build")
    command = [find_program("node"), "--input-type=module", "-e", f'import "@highlighter/embed"; {ON_SERVER[template]}']
    rendered = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert re.search(
        r'<div.*>So \[1\]\..*<citation-viewer src="/x" theme="dark"></citation-viewer>', rendered.stdout
    ), rendered.stderr
    port = free_port()
    with start_host(["node", "server.js"], port, express, PAGES=str(project / "dist")):
        watched_page.goto(f"http://localhost:{port}/")
        drive(watched_page)


def test_development_server_of_vite_needs_no_configuration_for_package(
    package, express, start_host, tmp_path, watched_page
):
    project = install_project("react", tmp_path, package)
    port, server = free_port(), free_port()
    vite = [find_program("npm"), "run", "dev", "--", "--host", "localhost", "--port", str(port), "--strictPort"]
    with (
        start_host(["node", "server.js"], server, express, ORIGINS=f"http://localhost:{port}"),
        running(
            vite, {"SERVER": f"http://localhost:{server}"}, f"http://localhost:{port}/", tmp_path / "vite.log", project
        ),
    ):
        watched_page.goto(f"http://localhost:{port}/")
        drive(watched_page)


def drive(page: Page) -> None:
    """Use a project's page as its readers do."""
    answer = page.locator("#answer")
    citations = answer.locator(".highlighter-citation")
    expect(citations).to_have_text([FIRST, SECOND, FIRST], timeout=READ_WITHIN)
    expect(answer).to_have_text(f"{ANSWER}Again: {ANSWER[:78]}")
    citations.first.click()
    highlighted = page.frame_locator("dialog[open] citation-viewer iframe").locator("mark").first
    expect(highlighted).to_contain_text(HIGHLIGHTED, timeout=READ_WITHIN)
    expect(highlighted).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_role("button", name="Show the source").click()
    viewer, element = page.frame_locator("#viewer iframe"), page.frame_locator("#element iframe")
    for frame in (viewer, element):
        expect(frame.locator("mark").first).to_contain_text(QUOTE, timeout=READ_WITHIN)
        expect(frame.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Dark").click()
    for frame in (viewer, element):
        expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Show the page").click()
    element.locator(".document-page .highlight[aria-current]").first.wait_for(timeout=READ_WITHIN)
    expect(page.locator("#problem")).to_have_text(re.compile(r"^403 .*Request a new link\.$"), timeout=READ_WITHIN)
    expect(citations).to_have_text([FIRST, SECOND, FIRST])  # attached again with the other theme
    expect(answer).to_have_text(f"{ANSWER}Again: {ANSWER[:78]}")


@pytest.mark.parametrize("host", ["flask", "fastapi", "express"])
def test_server_of_page_keeps_key(host, request, start_host, watched_page):
    port = free_port()
    folder = request.getfixturevalue("express") if host == "express" else ROOT
    command = ["node", "server.js"] if host == "express" else [sys.executable, "-m", f"examples.{host}_host"]
    with start_host(command, port, folder):
        watched_page.goto(f"http://localhost:{port}/")
        watched_page.locator(".highlighter-citation").click(timeout=READ_WITHIN)
        highlighted = watched_page.frame_locator("dialog[open] citation-viewer iframe").locator("mark").first
        expect(highlighted).to_contain_text(HIGHLIGHTED, timeout=READ_WITHIN)
        address = f"http://localhost:{port}/citations"
        status, made = post(f"{address}/link", {"quote": QUOTE})
        assert (status, made["scope"]) == (200, "document")
        status, made = post(f"{address}/link", {"quote": QUOTE, "scope": "collection", "expires_in": 86_400})
        assert (status, made["detail"].partition(".")[0]) == (400, "This route does not know the field scope")
        status, refused = post(f"{address}/link", {"quote": "Penguins eat fish in the Antarctic winter"})
        assert status == 404
        assert refused["detail"]
        assert post(f"{address}/link", {"quote": QUOTE}, "text/plain")[0] in (415, 422)  # other sites can send that


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("link", {"quote": QUOTE, "scope": "collection"}, "This route does not know the field scope. Its fields are document_id, "),
        ("link", {"document_id": ["a"]}, "document_id must be a text."),
        ("link", {"quote": QUOTE, "page": 1.5}, "page must be a whole number."),
        ("link", {"toString": 1}, "This route does not know the field toString. "),
        ("resolve", {"text": "[1]", "sources": "note.txt"}, "sources must be a list."),
        ("resolve", {"text": "[1]", "colour": "red"}, "This route does not know the field colour. Its fields are text, sources."),
        ("link", {"claim": "Alarms are tested.", "page": None}, "You may not open this document."),
    ],
)  # fmt: skip
def test_handler_refuses_other_fields_and_types_before_permit(path, body, sentence):
    script = f"""
        import {{ createHandler }} from {json.dumps((ROOT / "packages" / "embed" / "server.js").as_uri())};
        const permit = (wanted) => {{
          if (JSON.stringify(wanted) !== '{{"question":"Alarms are tested."}}') throw Error("reached permit");
          return false;
        }};
        const options = {{ method: "POST", headers: {{ "Content-Type": "application/json" }}, body: {json.dumps(json.dumps(body))} }};
        const answer = await createHandler({{ url: "http://127.0.0.1:9", permit }})(new Request("http://x/{path}", options));
        console.log((await answer.json()).detail);"""
    command = [find_program("node"), "--input-type=module", "-e", script]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.startswith(sentence)


def build_next_project(folder: Path, package: Path) -> Path:
    """Build a Next project with the pages of the React project and the route of the example."""
    project = install_project("next", folder, package)
    for name in ("App.tsx", "Elements.tsx"):
        shutil.copy(TEMPLATES / "react" / "src" / name, project / "app")
    shutil.copytree(ROOT / "examples" / "next" / "app", project / "app", dirs_exist_ok=True)
    run_npm(project, "run", "check")
    run_npm(project, "run", "build")
    return project


def test_new_next_project_shows_cited_sentence_by_its_own_route(
    package, start_host, tmp_path, watched_page, monkeypatch
):
    monkeypatch.setenv("NEXT_TELEMETRY_DISABLED", "1")
    project = build_next_project(tmp_path, package)
    next_server = [str(project / "node_modules" / ".bin" / "next"), "start", "--hostname", "127.0.0.1"]
    port, other_port = free_port(), free_port()
    origin = f"http://localhost:{port}"
    with start_host(next_server, port, project, ORIGIN=origin):
        rendered = watched_page.request.get(origin).text()
        assert '<citation-viewer id="served" theme="light"' in rendered
        watched_page.goto(origin)
        drive(watched_page)
        linked = watched_page.request.post(f"{origin}/citations/link", data={"quote": QUOTE})
        assert (linked.status, linked.json()["scope"]) == (200, "document")
        assert linked.headers["cache-control"] == "no-store"
        assert post(f"{origin}/citations/link", {"quote": QUOTE}, "text/plain")[0] == 415
        assert post(f"{origin}/citations/nothing", {})[0] == 404
    unreachable = {"HIGHLIGHTER_URL": f"http://127.0.0.1:{free_port()}"}
    with start_host(next_server, other_port, project, **unreachable):
        refused = post(f"http://localhost:{other_port}/citations/resolve", {"text": ANSWER})
        assert refused == (502, {"status": 502, "detail": "Highlighter cannot be reached."})


def test_missing_node_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match=re.escape(MISSING)):
        find_program("npm")


def post(url: str, body: dict, media_type: str = "application/json") -> tuple[int, dict]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": media_type})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as err:
        with err:
            return err.code, json.load(err)
