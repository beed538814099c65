"""The nginx of the documentation before a running server, on free ports."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.serving import ROOT, free_port, running

NONE_FOUND = "No nginx found. Install it: apt-get install nginx-light."
SBIN = "/usr/local/sbin:/usr/sbin:/sbin"  # where Debian has it, which is not in everybody's PATH
CONFIGURATION = """daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  {server}
}}
"""


@contextmanager
def documented_proxy(site: str, folder: Path) -> Iterator[str]:
    """Yield the URL below which the nginx of docs/how-to/proxy.md shows a server."""
    program = shutil.which("nginx") or shutil.which("nginx", path=SBIN)
    if program is None:
        raise FileNotFoundError(NONE_FOUND)
    page = (ROOT / "docs" / "how-to" / "proxy.md").read_text(encoding="utf-8")
    server = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)[1]
    port = free_port()
    server = server.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("http://127.0.0.1:8000/", f"{site}/")
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, server=server), encoding="utf-8")
    address = f"http://127.0.0.1:{port}/papers"
    command = [program, "-p", str(folder), "-c", str(configuration)]
    with running(command, {}, f"{address}/healthz", folder / "nginx.log"):
        yield address
