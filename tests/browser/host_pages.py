"""Pages of other sites, each on its own origin, and the example's server."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

from examples.host.server import Host, host

PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host page</title>
<style>:root {{ color-scheme: light dark }} body {{ margin: 0 }}</style>
<body>{body}<script type="module">{script}</script>"""
# What a viewer says is kept in `said`, for tests to read.
LISTENING = """import "{site}/static/embed.js";
window.said = [];
for (const type of ["ready", "resize", "evidence.selected", "evidence.missing", "navigate", "link.expired", "error", "close"])
  document.addEventListener(`highlighter:${type}`, (event) => said.push({type, ...event.detail}));
"""


class HostPages:
    """An origin with pages that tests add."""

    def __init__(self, server: ThreadingHTTPServer, site: str, pages: dict[str, str]):
        self.origin = f"http://localhost:{server.server_port}"
        self.site = site
        self._pages = pages

    def page(self, body: str, script: str = "") -> str:
        """Add a page with this content and return its URL."""
        path = f"/{len(self._pages)}"
        self._pages[path] = PAGE.format(body=body, script=script)
        return self.origin + path

    def viewing(self, src: str, script: str = "", **attributes: str) -> str:
        """Add a page with one viewer that records the viewer's events, and return its URL."""
        written = "".join(f' {name}="{value}"' for name, value in attributes.items())
        viewer = f'<citation-viewer id="viewer" src="{src}"{written}></citation-viewer>'
        return self.page(viewer, LISTENING.replace("{site}", self.site) + script)

    def link(self, **what) -> str:
        """Request a signed link that this origin may frame, as its server would."""
        body = {"origins": [self.origin], **what}
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.site}/api/v1/embed/links", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["url"]


@contextmanager
def serve_host_pages(site: str) -> Iterator[HostPages]:
    pages: dict[str, str] = {}

    class Pages(Host):
        def do_GET(self) -> None:
            content = pages.get(self.path.partition("?")[0])
            if content is None:
                return super().do_GET()
            self._answer(200, content.encode(), "text/html; charset=utf-8")

    with host(0, site, handler=Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield HostPages(server, site, pages)
        server.shutdown()
