"""Make the marked pages again: python -m tests.ingest.readers.marked_pages.making (needs Chromium and LibreOffice).

A source has one sentence, title or table row on each line, which is what a person would mark. Notes follow the text;
<!--|--> separates their sentences.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

_NOTE = re.compile(r"<text:note .*?</text:note>")
_NOTE_CITATION = re.compile(r"<text:note-citation>(\d+)</text:note-citation>")
_NOTE_BODY = re.compile(r"<text:note-body>(.*?)</text:note-body>")
_RUNNING = re.compile(r'<div class="running[^>]*>.*?</div>')
_HEAD = re.compile(r"<meta.*</style>|<\?xml.*<office:text>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def list_marks(source: str) -> list[str]:
    """Return the sentences of a source as they are marked: without running heads, notes at the end."""
    sentences: list[str] = []
    notes: list[str] = []
    for line in _HEAD.sub("", source).splitlines():
        for note in _NOTE.findall(line):
            number, body = _NOTE_CITATION.search(note), _NOTE_BODY.search(note)
            first, *others = map(_strip_tags, body[1].split("<!--|-->")) if body else [""]
            notes += [f"{number[1] if number else ''} {first}", *others]
        sentences.append(_strip_tags(_NOTE.sub(lambda match: f"[{_NOTE_CITATION.search(match[0])[1]}]", line)))
    return [sentence for sentence in [*sentences, *notes] if sentence]


def _strip_tags(line: str) -> str:
    line = re.sub(r"</t[dh]>(?=<t)|<text:tab/>", "\t", _RUNNING.sub(" ", line))
    return html.unescape(_TAG.sub(" " if "<math" in line else "", line)).replace("\u00ad", "").strip()


def make_pdf(source: Path) -> None:
    target = source.with_suffix(".pdf")
    if source.suffix == ".html":
        chromium = shutil.which("chromium") or "chromium"
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--disable-pdf-tagging"]
        subprocess.run(
            [chromium, *options, f"--print-to-pdf={target}", source.as_uri()], check=True, capture_output=True
        )
        return
    with tempfile.TemporaryDirectory() as profile:
        options = [
            f"-env:UserInstallation=file://{profile}",
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            str(HERE),
        ]
        subprocess.run(["soffice", *options, str(source)], check=True, capture_output=True)


def main() -> None:
    for source in sorted([*HERE.glob("*.html"), *HERE.glob("*.fodt")]):
        make_pdf(source)
        marks = list_marks(source.read_text(encoding="utf-8"))
        source.with_suffix(".txt").write_text("\n".join(marks) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
