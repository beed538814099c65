"""Our own questions about texts: every file is well formed, and what is measured is never learned."""

import json

import pytest

from training.cross_lingual.question_lessons import read_question_lessons
from training.lesson_purposes import LEARNED, MEASURED, WEIGHED
from training.questions.examples import LESSON_FOLDERS

FILES = sorted(path for folder in LESSON_FOLDERS for path in folder.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_question_is_well_formed(path):
    texts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({text["id"] for text in texts}) == len(texts)
    for text in texts:
        questions = [(language, question) for language, question, _ in text["questions"]]
        assert len(set(questions)) == len(questions), text["id"]
        for _, question, answered_by in text["questions"]:
            assert question.strip(), text["id"]
            assert set(answered_by) <= set(range(len(text["sentences"]))), question


def test_measured_questions_are_never_learned():
    texts = {
        purpose: {lesson.sentences for lesson in read_question_lessons(purpose, *LESSON_FOLDERS)}
        for purpose in (LEARNED, WEIGHED, MEASURED)
    }
    assert texts[LEARNED].isdisjoint(texts[MEASURED] | texts[WEIGHED])
    assert 0.05 < len(texts[MEASURED]) / len(texts[LEARNED]) < 0.2
