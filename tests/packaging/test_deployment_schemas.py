"""The files of deploy/ follow the schemas of Docker Compose and Kubernetes; systemd reads its unit."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.browser.serving import ROOT

TOOLS, DEPLOY = ROOT / ".venv" / "tools" / "bin", ROOT / "deploy"
COMPOSE_COMMAND = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec"]
KUBERNETES_COMMAND = [TOOLS / "kubernetes-validate", "--strict", "-k", "1.35"]
FILES = [
    (COMPOSE_COMMAND, DEPLOY / "compose.yaml", "healthcheck:"),
    *((KUBERNETES_COMMAND, path, "spec:") for path in sorted((DEPLOY / "kubernetes").glob("*.yaml"))),
]

pytestmark = pytest.mark.integrations  # needs .venv/tools


@pytest.mark.parametrize(("command", "path", "key"), FILES, ids=[path.name for _, path, _ in FILES])
def test_file_follows_its_schema_and_a_misspelt_key_does_not(command, path, key, tmp_path):
    assert run([*command, path]) == 0
    misspelt = tmp_path / path.name
    misspelt.write_text(path.read_text(encoding="utf-8").replace(key, f"x{key}", 1), encoding="utf-8")
    assert run([*command, misspelt]) != 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", ["highlighter.service", "highlighter-backup.service"])
def test_systemd_knows_every_key_of_the_unit(name, tmp_path):
    unit = tmp_path / name
    text = (DEPLOY / name).read_text(encoding="utf-8")
    unit.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text), encoding="utf-8")  # it must be there
    assert verify_unit(unit) == ""
    unit.write_text(unit.read_text(encoding="utf-8").replace("PrivateTmp", "PrivateTemp"), encoding="utf-8")
    assert "PrivateTemp" in verify_unit(unit)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_knows_when_the_timer_starts_its_service(tmp_path):
    for name in ("highlighter-backup.timer", "highlighter-backup.service"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text), encoding="utf-8")
    timer = tmp_path / "highlighter-backup.timer"
    assert verify_unit(timer) == ""
    timer.write_text(timer.read_text(encoding="utf-8").replace("03:00:00", "27:00:00"), encoding="utf-8")
    assert "Failed to parse calendar" in verify_unit(timer)


def run(command) -> int:
    return subprocess.run(command, capture_output=True, timeout=120).returncode


def verify_unit(unit) -> str:
    command = ["systemd-analyze", "verify", "--recursive-errors=no", unit]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stderr
