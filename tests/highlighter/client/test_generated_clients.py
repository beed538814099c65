"""Tests of clients that others' programs generate from the OpenAPI document, against a running service."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest

from tests.browser.serving import ROOT

pytestmark = pytest.mark.integrations

SOURCES, TOOLS = Path(__file__).parent / "generated", ROOT / ".venv" / "tools" / "bin"


@pytest.fixture
def openapi(remote_service, key, tmp_path):
    """The OpenAPI document of a running service, in a file."""
    path = tmp_path / "openapi.json"
    response = httpx2.get(f"{remote_service[0]}/api/v1/openapi.json", headers={"Authorization": f"Bearer {key}"})
    path.write_text(response.text, encoding="utf-8")
    return path


def run(*command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def assert_used(output):
    """Check what the programs in `generated/` print of an upload, a search, an answer, a list and an error."""
    shown = json.loads(output.splitlines()[-1])
    assert 'rel="first"' in shown.pop("link")
    assert shown == {
        "state": "ready", "hit": "The harbour closes at nine in the evening.",
        "quote": "The harbour closes at nine in the evening.", "listed": ["harbour.txt"],
        "problem": "urn:highlighter:problem:not-found",
    }  # fmt: skip


def test_python_client(openapi, remote_service, key):
    folder = openapi.parent
    generated = run(
        TOOLS / "openapi-python-client", "generate", "--path", openapi, "--meta", "none",
        "--output-path", folder / "highlighter_client", "--config", SOURCES / "config.yml", "--fail-on-warning", folder=folder,
    )  # fmt: skip
    assert "Warning" not in generated
    shutil.copy(SOURCES / "use.py", folder)
    assert_used(run(TOOLS / "python", "use.py", remote_service[0], key, folder=folder))


@pytest.mark.npm
def test_typescript_client(openapi, remote_service, key):
    folder = openapi.parent
    for name in ("package.json", "use.ts"):
        shutil.copy(SOURCES / name, folder)
    run("npm", "install", "--no-audit", "--no-fund", folder=folder)
    # A field with a default may be left out of a request.
    run("npx", "openapi-typescript", openapi, "--default-non-nullable=false", "-o", "schema.ts", folder=folder)
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck")
    run("npx", "tsc", *options, "use.ts", "schema.ts", folder=folder)
    assert_used(run("node", "use.js", remote_service[0], key, folder=folder))
