"""Coverage-guided fuzzing of the readers, where atheris is installed."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.browser.serving import ROOT
from tests.conftest import NOTE, SAMPLES
from tests.soak.goals import GoalResult, judge, leave_out
from tests.soak.guided_seeds import DOCUMENT_PART, WORD_FILE
from tests.soak.options import SoakOptions
from tests.soak.progress import report

GOAL = "Guided fuzzing of the {kind} reader: every end is typed"
KINDS = ("txt", "docx", "pdf", "html", "md", "eml")
NOT_INSTALLED = "not run: it needs atheris (pip install -r requirements-fuzzing.txt)"
MAX_INPUT_BYTES, MAX_INPUT_SECONDS, MAX_MEMORY_MB = 20_000, 60, 1024
RUNS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
ERROR = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception|Warning|Interrupt)\b.*|^==\d+== ERROR.*", re.MULTILINE)


def list_seeds(kind: str) -> Iterator[bytes]:
    """Yield small sound contents of a kind."""
    if kind == "docx":
        with zipfile.ZipFile(WORD_FILE) as archive:
            yield archive.read(DOCUMENT_PART)[:MAX_INPUT_BYTES]
    elif kind == "html":
        yield f"<html><body><h1>Ferry</h1><table><tr><th>a<td>b</table><ul><li>{NOTE}</ul></body></html>".encode()
    elif kind == "md":
        yield f"# Ferry\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n* {NOTE}\n\n> [x](y) `z`\n".encode()
    elif kind == "eml":
        yield f"From: a@b.example\nSubject: =?utf-8?q?F=C3=A4hre?=\nContent-Type: text/plain\n\n{NOTE}".encode()
    else:
        for path in sorted(SAMPLES.glob(f"*.{kind}")):
            if path.stat().st_size <= MAX_INPUT_BYTES:
                yield path.read_bytes()


def run_guided_files(options: SoakOptions, work: Path) -> list[GoalResult]:
    if importlib.util.find_spec("atheris") is None:
        return [leave_out(GOAL.format(kind=kind), NOT_INSTALLED) for kind in KINDS]
    return [fuzz_reader(kind, options, work) for kind in KINDS]


def fuzz_reader(kind: str, options: SoakOptions, work: Path) -> GoalResult:
    report(f"the {kind} reader, for {options.guided} s")
    corpus, findings = work / kind, Path(f"soak-files-{options.seed}").absolute()
    corpus.mkdir()
    findings.mkdir(exist_ok=True)
    for number, content in enumerate(list_seeds(kind)):
        (corpus / str(number)).write_bytes(content)
    command = [
        sys.executable, "-m", "tests.soak.guided_reading", kind, str(corpus), f"-max_total_time={options.guided}",
        f"-seed={options.seed}", f"-max_len={MAX_INPUT_BYTES}", f"-timeout={MAX_INPUT_SECONDS}",
        f"-rss_limit_mb={MAX_MEMORY_MB}", f"-artifact_prefix={findings}/{kind}-", "-print_final_stats=1",
    ]  # fmt: skip
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    output = result.stdout + result.stderr
    runs, errors = RUNS.search(output), ERROR.findall(output)
    if not any(findings.iterdir()):
        findings.rmdir()
    figure = f"{runs[1] if runs else '?'} runs in {options.guided} s"
    if result.returncode:
        figure += f"; {errors[0] if errors else output.strip().splitlines()[-1]} (in {findings.name}/)"
        report(output[-4000:])
    return judge(GOAL.format(kind=kind), figure, result.returncode == 0)
