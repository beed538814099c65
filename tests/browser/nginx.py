"""The nginx of the documentation and of deploy/ before running servers, on free ports."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from getpass import getuser
from pathlib import Path

from tests.browser.serving import ROOT, free_port, running

NONE_FOUND = "No nginx found. Install it: apt-get install nginx-light."
SBIN = "/usr/local/sbin:/usr/sbin:/sbin"  # where Debian has it, which is not in everybody's PATH
# Its workers run as who runs the tests, because they write the bodies of uploads into the folder.
CONFIGURATION = """daemon off; user {user}; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  {server}
}}
"""


@contextmanager
def documented_proxy(site: str, folder: Path) -> Iterator[str]:
    """Yield the URL below which the nginx of docs/how-to/proxy.md shows a server."""
    page = (ROOT / "docs" / "how-to" / "proxy.md").read_text(encoding="utf-8")
    server = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)[1]
    port = free_port()
    server = server.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("http://127.0.0.1:8000/", f"{site}/")
    address = f"http://127.0.0.1:{port}/papers"
    with running_nginx(server, f"{address}/healthz", folder):
        yield address


@contextmanager
def deployed_proxy(ports: Iterable[int], folder: Path) -> Iterator[int]:
    """Yield the port at which the nginx of deploy/nginx.conf shows several servers, given by their ports."""
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    server = re.search(r"http \{\n(.*)\}", text, re.DOTALL)[1]
    web, options = re.search(r"server web:8000 (.*;)", server).group(0, 1)
    port = free_port()
    server = server.replace(web, " ".join(f"server 127.0.0.1:{one} {options}" for one in ports))
    server = server.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    with running_nginx(server, f"http://127.0.0.1:{port}/healthz", folder):
        yield port


@contextmanager
def running_nginx(server: str, answers: str, folder: Path) -> Iterator[None]:
    """Run nginx with what stands in its `http` block, from when the URL `answers` responds."""
    program = shutil.which("nginx") or shutil.which("nginx", path=SBIN)
    if program is None:
        raise FileNotFoundError(NONE_FOUND)
    configuration = folder / "nginx.conf"
    server = server.replace("/var/log/nginx/", f"{folder}/")
    configuration.write_text(CONFIGURATION.format(user=getuser(), folder=folder, server=server), encoding="utf-8")
    with running([program, "-p", str(folder), "-c", str(configuration)], {}, answers, folder / "nginx.log"):
        yield
