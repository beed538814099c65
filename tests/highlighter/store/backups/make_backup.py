"""Write a backup of a small library as a release makes it: `python make_backup.py TARGET.tar.xz` in a checkout of that release.

The archive holds the backup and `record.json`: what the release answered, and the links that it gave out.
"""

import json
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, ".")

from reportlab.pdfgen.canvas import Canvas

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.audit_log import export_head, read_head
from highlighter.store.backup import create_backup
from ingest.pipeline import ingest_file

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars.\n"
LAMPS = "The lamps on the quay are lit at dusk. The harbour master keeps the key of the lamp store.\n"
RULES = ("Boats longer than nine metres pay a fee of forty pounds.", "The fee is paid within five days of arrival.")
QUESTIONS = {
    "ferry": "When does the ferry leave?",
    "fee": "How much is the fee for boats?",
    "lamps": "When are the lamps lit?",
}


def write_rules(path: Path) -> None:
    """Write a PDF with a page for each rule."""
    canvas = Canvas(str(path), invariant=True)
    for rule in RULES:
        canvas.drawString(72, 720, rule)
        canvas.showPage()
    canvas.save()


class Library:
    """A library of the release, and its API with a key."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.services = Services(Settings(data_dir=folder / "data", ocr=False))
        _, self.key = self.services.api_keys.create_key("Harbour", ["admin"])
        self.client = create_app(self.services).test_client()

    def ingest(self, name: str, text: str) -> str:
        """Ingest a text file, and return the id of its document."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return ingest_file(path, self.services, self.services.process_pool).document.id

    def ingest_rules(self) -> str:
        path = self.folder / "rules.pdf"
        write_rules(path)
        return ingest_file(path, self.services, self.services.process_pool).document.id

    def request(self, method: str, path: str, **options):
        """Send a request with the key, and return the JSON of the response."""
        headers = {"Authorization": f"Bearer {self.key}"}
        response = self.client.open(path, method=method, headers=headers, **options)
        assert response.status_code in (200, 201, 202, 204), response.get_data(as_text=True)
        return response.json

    def ask(self, name: str):
        return self.request("POST", "/api/v1/answers", json={"question": QUESTIONS[name]})


def fill_library(library: Library) -> dict:
    """Ingest, ask, note and delete, and return the record of it."""
    earlier, rules, lamps = (
        library.ingest("ferry.txt", FERRY),
        library.ingest_rules(),
        library.ingest("lamps.txt", LAMPS),
    )
    answers = {name: library.ask(name) for name in QUESTIONS}
    later = library.ingest("ferry.txt", FERRY.replace("seven", "eight"))
    note = library.request(
        "POST",
        f"/api/v1/documents/{rules}/notes",
        json={
            "body": "Ask the harbour office.",
            "target": {"selector": {"type": "TextQuoteSelector", "exact": RULES[1]}},
        },
    )
    library.request("DELETE", f"/api/v1/documents/{lamps}")
    with library.services.catalog.engine.connect() as connection:
        head = export_head(read_head(connection))
    return {
        "key": library.key,
        "documents": {"earlier": earlier, "later": later, "rules": rules, "lamps": lamps},
        "questions": QUESTIONS,
        "answers": answers,
        "note": note,
        "head": head,
    }


def make_backup(folder: Path, target: Path) -> None:
    library = Library(folder)
    record = fill_library(library)
    services = library.services
    services.link_keys  # noqa: B018 - created on first use
    create_backup(services.catalog, services.files, services.settings.data_dir, folder / "backup")
    services.close()
    (folder / "record.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    with tarfile.open(target, "w:xz") as archive:
        for name in ("backup", "record.json"):
            archive.add(folder / name, name)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make_backup(Path(folder), Path(sys.argv[1]).resolve())
