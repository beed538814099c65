"""What a service has accepted, and what of it is missing later: documents, deletions and their undoing, answers, notes, feedback."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from highlighter.models import QUARANTINED, READING, UNFINISHED
from tests.conftest import NOTE, SAMPLES
from tests.soak.running_service import Connection, Reply
from tests.waiting import wait_until

QUESTION = {"question": "When does the ferry leave?"}


class AcceptedWork:
    """Work that a service is given at random, and a record of what it confirmed."""

    def __init__(self, catalog_path: Path, random: Random):
        self._catalog_path, self._random = catalog_path, random
        self.documents: set[str] = set()
        self.hidden: set[str] = set()  # their deletion is pending
        self.deleted: set[str] = set()
        self.answers: set[str] = set()
        self.notes: set[str] = set()  # their texts
        self.feedback: set[str] = set()
        self.undone = 0  # deletions
        self.refused: list[str] = []
        self.files: dict[str, bytes] = {}  # by name
        self._annotated_id = ""  # a document that is not deleted: notes go with their document
        self._sentences: list[dict[str, Any]] = []

    def begin(self, connection: Connection) -> None:
        """Have the document read that gets notes and feedback, and add some of each kind, so that no kill comes before."""
        path = f"/api/v1/documents/{self.upload(connection)}"
        self._annotated_id = path.rpartition("/")[2]
        self.documents.discard(self._annotated_id)  # so that it is not chosen for a deletion
        wait_until(lambda: connection.get(path).json()["state"] not in UNFINISHED, seconds=120)
        self._sentences = connection.get(f"{path}/sentences").json()["sentences"]
        for add in (self.annotate, self.give_feedback, self.upload, self.hide, self.undo, self.upload, self.hide):
            add(connection)

    def add_something(self, connection: Connection) -> None:
        choice = self._random.random()
        if choice < 0.15 and self.documents:
            self.delete(connection)
        elif choice < 0.25 and self.documents:
            self.hide(connection)
        elif choice < 0.35 and self.hidden:
            self.undo(connection)
        elif choice < 0.45:
            self.annotate(connection)
        elif choice < 0.55:
            self.give_feedback(connection)
        elif choice < 0.7:
            self.ask(connection)
        else:
            self.upload(connection)

    def upload(self, connection: Connection) -> str:
        reply = connection.upload(*self.make_file())
        if not self._is_accepted("An upload", reply, 202):
            return ""
        document_id = str(reply.json()["document_id"])
        self.documents.add(document_id)
        return document_id

    def make_file(self) -> tuple[str, bytes]:
        """Return a name and a content that no other document has: a text, or now and then a PDF of several pages."""
        number = len(self.files) + 1
        name, content = (
            f"{number}.txt",
            f"Ferry number {number} leaves at {number} minutes past seven.\n\n{NOTE}".encode(),
        )
        if self._annotated_id and self._random.random() < 0.2:
            pdf = (SAMPLES / "Harbour Works Contract.pdf").read_bytes()
            name, content = f"{number}.pdf", pdf + b"%% %d\n" % number
        self.files[name] = content
        return name, content

    def ask(self, connection: Connection) -> None:
        if not self.try_to_ask(connection):
            self.refused.append("A question was not answered.")

    def try_to_ask(self, connection: Connection) -> bool:
        """Ask a question, and return whether it was answered: a service that is being started may refuse it."""
        reply = connection.post("/api/v1/answers", QUESTION)
        if reply.status == 200:
            self.answers.add(reply.json()["id"])
        return reply.status == 200

    def delete(self, connection: Connection) -> None:
        document_id = self._random.choice(sorted(self.documents))
        if self._is_accepted("A deletion", connection.request("DELETE", f"/api/v1/documents/{document_id}"), 204):
            self.documents.discard(document_id)
            self.deleted.add(document_id)

    def hide(self, connection: Connection) -> None:
        """Delete a document as its page does it: the deletion is pending for a while."""
        document_id = self._random.choice(sorted(self.documents))
        if self._is_accepted("A deletion", connection.request("POST", f"/documents/{document_id}/delete"), 303):
            self.documents.discard(document_id)
            self.hidden.add(document_id)

    def undo(self, connection: Connection) -> None:
        document_id = self._random.choice(sorted(self.hidden))
        if self._is_accepted("An undo", connection.request("POST", f"/documents/{document_id}/restore"), 303):
            self.hidden.discard(document_id)
            self.documents.add(document_id)
            self.undone += 1

    def undo_all(self, connection: Connection) -> None:
        for _ in list(self.hidden):
            self.undo(connection)

    def annotate(self, connection: Connection) -> None:
        text = f"Note {len(self.notes) + 1}: ask the harbour master."
        sentence = self._random.choice(self._sentences)
        selector = {"type": "TextPositionSelector", "start": sentence["start"], "end": sentence["end"]}
        note = {"target": {"selector": selector}, "body": text}
        if self._is_accepted("A note", connection.post(f"/api/v1/documents/{self._annotated_id}/notes", note), 201):
            self.notes.add(text)

    def give_feedback(self, connection: Connection) -> None:
        sentence = self._random.choice(self._sentences)
        span = {name: sentence[name] for name in ("chunk_index", "start", "end")}
        fields = {"document_id": self._annotated_id, **QUESTION, "verdict": self._random.choice(("right", "wrong"))}
        reply = connection.post("/api/v1/feedback", {**fields, **span})
        if self._is_accepted("Feedback", reply, 201):
            self.feedback.add(reply.json()["id"])

    def _is_accepted(self, name: str, reply: Reply, status: int) -> bool:
        if reply.status != status:
            self.refused.append(f"{name} was answered {reply.status}.")
        return reply.status == status

    def find_losses(self) -> Iterator[str]:
        """Yield what was accepted and is missing, what was deleted and is there, and contents that are there twice."""
        rows = self._select("SELECT id, sha256, collection, leaving FROM documents")
        visible = {id for id, _, _, deletion_time in rows if not deletion_time}
        hidden = {id for id, _, _, deletion_time in rows if deletion_time}
        yield from (
            f"Document {id} was accepted and is lost." for id in {*self.documents, self._annotated_id} - visible
        )
        yield from (f"The deletion of {id} cannot be undone any more." for id in self.hidden - hidden)
        yield from (f"Document {id} was deleted and is there." for id in self.deleted & (visible | hidden))
        for name, accepted, query in (
            ("Answer", self.answers, "SELECT id FROM answers"),
            ("Note", self.notes, "SELECT text FROM notes"),
            ("Feedback", self.feedback, "SELECT id FROM feedback"),
        ):
            found = [value for (value,) in self._select(query)]
            yield from (f"{name} {value} was given and is lost." for value in accepted - set(found))
            yield from (f"{name} {value} is there twice." for value in accepted if found.count(value) > 1)
        contents = Counter((sha256, collection) for _, sha256, collection, _ in rows)
        yield from (f"A content is there {count} times." for count in contents.values() if count > 1)

    def list_reading(self) -> list[str]:
        """Return the ids of the documents that are being read."""
        return [id for id, state in self._select("SELECT id, state FROM documents") if state == READING]

    def list_quarantined(self) -> list[tuple[str, str]]:
        rows = self._select("SELECT id, name, state FROM documents")
        return [(id, name) for id, name, state in rows if state == QUARANTINED]

    def has_unfinished(self) -> bool:
        return any(state in UNFINISHED for (state,) in self._select("SELECT state FROM documents"))

    def _select(self, query: str) -> list[tuple[str, ...]]:
        with closing(sqlite3.connect(self._catalog_path, timeout=60)) as catalog:
            return catalog.execute(query).fetchall()

    def describe(self) -> str:
        return (
            f"{len(self.documents)} documents, {len(self.answers)} answers, {len(self.notes)} notes, "
            f"{len(self.feedback)} verdicts, {len(self.deleted)} deletions, {self.undone} undone"
        )
