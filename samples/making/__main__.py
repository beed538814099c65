"""Write every sample and `making/questions.json`: `python -m samples.making [FOLDER]`.

The same fonts give the same bytes each time (Debian: fonts-liberation, fonts-wqy-zenhei).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from . import contract, council, letter, notes, policy, report, tides
from .paper import Faces

QUESTIONS = {
    contract.NAME: contract.QUESTIONS,
    report.NAME: report.QUESTIONS,
    policy.NAME: policy.QUESTIONS,
    notes.SAFETY_NAME: notes.SAFETY_QUESTIONS,
    council.NAME: council.QUESTIONS,
    notes.CANTEEN_NAME: notes.CANTEEN_QUESTIONS,
    tides.NAME: tides.QUESTIONS,
}


def make_samples(folder: Path, faces: Faces) -> None:
    for sample in (contract, report, policy, notes, council, letter, tides):
        sample.write(folder, faces)
    entries = [
        {"file": name, "questions": [{"question": question, "answer": answer} for question, answer in questions]}
        for name, questions in QUESTIONS.items()
    ]
    text = json.dumps(entries, ensure_ascii=False, indent=2) + "\n"
    questions_file = folder / "making" / "questions.json"
    questions_file.parent.mkdir(exist_ok=True)
    questions_file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    make_samples(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1], Faces.from_system())
