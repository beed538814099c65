"""Tests of python -m highlighter feedback: feedback is exported as judged passages, which calibrate reads."""

from __future__ import annotations

import json

from highlighter.access import VisibleCollections
from highlighter.evidence.judged_passages import read_datasets
from highlighter.store.feedback import RIGHT, WRONG, HighlightJudgement, save_feedback, undo_feedback

LEAVES = "The ferry leaves the island at seven in the morning."
COST = "Tickets cost four pounds and are sold on board."


def export_feedback(run, folder) -> list[dict]:
    status, out, _ = run("feedback", "export", str(folder))
    assert status == 0
    rows = [json.loads(line) for line in (folder / "feedback.jsonl").read_text(encoding="utf-8").splitlines()]
    assert out.startswith(f"{len(rows):,} passage")
    return rows


def test_exported_passage_has_highlights_without_wrong_and_with_right_ones(run, services, note, tmp_path):
    chunk, engine = services.catalog.chunk(note, 0), services.catalog.engine
    first, second = [(start, start + len(text)) for text in (LEAVES, COST) for start in [chunk.text.index(text)]]
    third = (chunk.text.index("It carries"), chunk.text.index("no cars.") + len("no cars."))
    save_feedback(engine, note, chunk, HighlightJudgement(second, WRONG, "When does it leave?", [first, second]))
    save_feedback(engine, note, chunk, HighlightJudgement(third, RIGHT, "When does it leave?", [first, second]))
    save_feedback(engine, note, chunk, HighlightJudgement(first, WRONG, "Who may swim?", [first]))
    undo_feedback(
        engine,
        save_feedback(engine, note, chunk, HighlightJudgement(first, WRONG, "Is it blue?", [first])),
        VisibleCollections(),
    )
    rows = {row["question"]: row for row in export_feedback(run, tmp_path / "judged")}
    assert set(rows) == {"When does it leave?", "Who may swim?"}
    assert rows["Who may swim?"]["spans"] == []
    highlighted = [chunk.text[start:end] for start, end in rows["When does it leave?"]["spans"]]
    assert highlighted == [LEAVES, "It carries sixty passengers and no cars."]
    judged = {passage.question: passage for passage in read_datasets(tmp_path / "judged")}
    passage = judged["When does it leave?"]
    assert [text for text, gold in zip(passage.sentences, passage.gold, strict=True) if gold] == highlighted


def test_feedback_on_deleted_document_is_not_exported(run, services, note, tmp_path):
    chunk = services.catalog.chunk(note, 0)
    save_feedback(services.catalog.engine, note, chunk, HighlightJudgement((0, len(LEAVES)), RIGHT, "When?"))
    services.catalog.delete(note.id)
    assert export_feedback(run, tmp_path / "judged") == []
    printed = run("feedback", "export", str(tmp_path / "judged"), "--json")[1]
    assert json.loads(printed) == {"passages": 0, "folder": str(tmp_path / "judged")}
