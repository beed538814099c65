"""The folders an index lives in, one a generation, and what each says of itself."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

CHROMA_FILE = "chroma.sqlite3"


@dataclass(frozen=True, slots=True)
class Generation:
    """`folder/` holds Chroma's files, `cursor`, `about.json`, and `whole` once it has caught up for the first time."""

    folder: Path

    @property
    def number(self) -> int:
        return int(self.folder.name)

    @property
    def model(self) -> str:
        """Whose vectors it holds: those of two models do not go together."""
        return self._about().get("model", "")

    def begun_because(self) -> str:
        """What was found wrong with the one before."""
        return self._about().get("because", "")

    def heard(self) -> int:
        """The last change it has heard of."""
        try:
            return int((self.folder / "cursor").read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def hear(self, seq: int) -> None:
        """Replaced whole: a kill leaves the old cursor or the new one."""
        _replace(self.folder / "cursor", str(seq))

    def is_whole(self) -> bool:
        return (self.folder / "whole").exists()

    def mark_whole(self) -> None:
        (self.folder / "whole").touch()

    def files(self) -> frozenset[tuple[int, int]]:
        """Which files hold it: (device, inode) of Chroma's database, and of what was written when it was begun."""
        there = (os.stat(self.folder / name) for name in (CHROMA_FILE, "about.json"))
        return frozenset((file.st_dev, file.st_ino) for file in there)

    def is_same(self, files: frozenset[tuple[int, int]]) -> bool:
        """Whether these files are still the ones found there."""
        try:
            return self.files() == files
        except FileNotFoundError:
            return False

    def open(self):
        """(client, sentences, chunks)."""
        import chromadb  # half a second
        from chromadb.config import Settings as ChromaSettings

        client = chromadb.PersistentClient(str(self.folder), settings=ChromaSettings(anonymized_telemetry=False))
        space = {"hnsw": {"space": "cosine"}}
        return client, *(
            client.get_or_create_collection(name, configuration=space, embedding_function=None)
            for name in ("sentences", "chunks")
        )

    def _about(self) -> dict[str, str]:
        try:
            return json.loads((self.folder / "about.json").read_text())
        except (FileNotFoundError, ValueError):
            return {}


def newest(folder: Path) -> Generation | None:
    return max(_all(folder), key=lambda generation: generation.number, default=None)


def others(folder: Path, than: Generation) -> list[Generation]:
    return [generation for generation in _all(folder) if generation != than]


def next_after(before: Generation | None, folder: Path, model: str, because: str) -> Generation:
    generation = Generation(folder / str(before.number + 1 if before else 1))
    # Named only when it says of itself what it is: on a full disk that may fail.
    draft = folder / "next"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    _replace(draft / "about.json", json.dumps({"model": model, "because": because}))
    os.replace(draft, generation.folder)
    return generation


def _all(folder: Path) -> list[Generation]:
    return [Generation(path) for path in folder.glob("*") if path.name.isdigit()] if folder.is_dir() else []


def _replace(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")
    draft.write_text(text)
    os.replace(draft, path)
