import json

import pytest
from sqlalchemy import insert, select

from highlighter.cli import calibrate
from highlighter.embedding.embedder import DEFAULT_MODEL, ENGLISH_MODEL, FULL_PRECISION_MODEL
from highlighter.evidence.calibration import calibration_folder, load_calibration
from highlighter.services import Services
from highlighter.store.database import write_transaction
from highlighter.store.feedback import RIGHT, WRONG, HighlightJudgement, save_feedback
from highlighter.store.schema import feedback
from ingest.pipeline import ingest_file
from tests.highlighter.cli.test_feedback import export_feedback

PASSAGES = 60  # fewer than a user has to give: each is read by two models


@pytest.fixture
def judged(tmp_path):
    """A folder of judged passages on boats: sentences that answer, and sentences that only look similar."""
    folder = tmp_path / "judged"
    folder.mkdir()
    lines = []
    for n in range(PASSAGES):
        answer = f"The firm Brown {n} sold {n} boats in Hull."
        context = f"It rained in Hull. {answer} The firm Grey {n} bought {n + 1} boats."
        start = context.index(answer)
        spans = [[start, start + len(answer)]] if n % 6 else []
        question = f"How many boats did Brown {n} sell?" if n % 6 else f"How many cars did Brown {n} paint?"
        lines.append(json.dumps({"question": question, "context": context, "spans": spans}))
    (folder / "boats.jsonl").write_text("\n".join(lines))
    return folder


@pytest.mark.slow
def test_calibration_is_stored_by_model_and_used_at_next_start(run, judged, services, monkeypatch):
    monkeypatch.setattr(calibrate, "MIN_JUDGED_PASSAGES", PASSAGES)
    status, out, err = run("calibrate", "--data", str(judged), "--json")
    calibrations = services.settings.data_dir / "calibration"
    folder = calibration_folder(services.embedder.name, calibrations)
    assert (status, json.loads(out)) == (
        0,
        {"model": services.embedder.name, "passages": PASSAGES, "folder": str(folder)},
    )
    assert err == ""  # bars are for terminals
    assert (calibration_folder(services.embedder.name, calibrations) / "full.npz").exists()
    restarted = Services(services.settings, services.embedder)
    text = "It rained in Hull. The firm Brown 7 sold 7 boats in Hull. The firm Grey 7 bought 8 boats."
    highlighted = [
        s.highlighted
        for s in restarted.passage_highlighter.highlight_text("How many boats did Brown 7 sell?", text).sentences
    ]
    assert highlighted == [False, True, False]
    restarted.close()


def test_unknown_model_is_not_calibrated(tmp_path):
    assert not load_calibration("some/other-model", tmp_path).fitted
    for name in (DEFAULT_MODEL, ENGLISH_MODEL, FULL_PRECISION_MODEL):
        assert load_calibration(name, tmp_path).fitted


def test_too_few_or_invalid_passages_are_refused(run, judged):
    path = judged / "boats.jsonl"
    path.write_text("\n".join(path.read_text().split("\n")[:20]))
    status, _, err = run("calibrate", "--data", str(judged))
    assert status == 2
    assert "holds 20 judged passages; 200 are the least" in err
    path.write_text('{"question": "?"}')
    status, _, err = run("calibrate", "--data", str(judged))
    assert status == 2
    assert "boats.jsonl, line 1: needs question, context and spans" in err


def test_calibrate_reads_exported_feedback(run, services, process_pool, tmp_path, monkeypatch):
    monkeypatch.setattr(calibrate, "MIN_JUDGED_PASSAGES", 41)  # each passage is read by both models
    (tmp_path / "short.txt").write_text("The ferry leaves at seven. It is blue.", encoding="utf-8")
    note = ingest_file(tmp_path / "short.txt", services, process_pool).document
    chunk, engine = services.catalog.chunk(note, 0), services.catalog.engine
    first = (0, len("The ferry leaves at seven."))
    save_feedback(engine, note, chunk, HighlightJudgement(first, RIGHT, "When does ferry 0 leave?", [first]))
    # One transaction for all entries, as each alone would wait for the disk.
    with write_transaction(engine) as connection:
        stored = connection.execute(select(feedback)).mappings().one()
        row = {column.key: stored[column.key] for column in feedback.c}
        for number in range(1, 41):
            verdict, question = (
                (RIGHT, f"When does ferry {number} leave?") if number % 6 else (WRONG, f"Who painted ship {number}?")
            )
            changes = {"seq": number + 1, "id": f"{number:032}", "verdict": verdict, "question": question}
            connection.execute(insert(feedback), {**row, **changes})
    assert len(export_feedback(run, tmp_path / "judged")) == 41
    status, out, _ = run("calibrate", "--data", str(tmp_path / "judged"))
    assert status == 0
    assert "on 41 passages" in out
