"""A service with two collections, at which people sign in."""

from __future__ import annotations

from pathlib import Path

from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file

TEXTS = {
    "contracts": ("Lease.txt", "The lease of the quay ends in March. The tenant pays for the crane."),
    "reports": ("Survey.txt", "The survey of the hull found no cracks. The next survey is due in May."),
}
RULES = """contact = "library@harbour.example"
[groups.contracts]
scopes = ["read", "answer"]
collections = ["contracts"]
[groups.reports]
scopes = ["read", "answer", "ingest"]
collections = ["reports"]
"""


def make_library(folder: Path, embedder, process_pool) -> dict[str, str]:
    """Store a document in each collection below a folder, and return the settings of a service for it."""
    services = Services(Settings(data_dir=folder, ocr=False), embedder)
    for collection, (name, words) in TEXTS.items():
        path = folder / name
        path.write_text(words, encoding="utf-8")
        ingest_file(path, services, process_pool, collection)
    services.close()
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    return {"ACCESS_RULES": str(folder / "rules.toml"), "OCR": "0"}
