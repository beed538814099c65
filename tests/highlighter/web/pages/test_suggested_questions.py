"""Suggested questions: about the headings of own documents, in the language of the page."""

from __future__ import annotations

import hashlib
import html
import re

import pytest

from highlighter.answering.request import QuestionRequest
from highlighter.web.pages.sample_questions import is_sample, list_sample_files, list_sample_questions
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES
from tests.highlighter.web.pages.test_document_routes import text

RULES = """# Harbour Rules

## 1. Contents

Pages are listed here.

## TABLE OF CONTENTS

Pages are listed here, too.

## Further Harbour Rules

They are written below.

## 2.1 LATE ARRIVAL FEES

A boat that arrives late pays ten pounds.

## Article 7. Night work on quays

Nobody works at night.

## Exhibit 10.1

It is empty.
"""
CHINESE_RULES = "# 避風塘規則\n\n## 一、遲到的費用\n\n遲到的船隻須付一百元。\n\n## 第二章 夜間工作\n\n晚上不可工作。\n"


@pytest.fixture
def ingest(tmp_path, services, process_pool):
    def ingest(name: str, content: str):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return ingest_file(path, services, process_pool).document

    return ingest


def list_suggestions(page):
    return [html.unescape(question) for question in re.findall(r'name="question" value="([^"]+)"', page)]


def test_headings_of_own_documents_become_questions_instead_of_samples(client, services, process_pool, ingest):
    ingest_file(SAMPLES / "Laboratory Safety Note.txt", services, process_pool)
    assert any("fire alarm" in question for question in list_suggestions(text(client.get("/"))))
    rules = ingest("Harbour Rules.md", RULES)
    assert list_suggestions(text(client.get("/"))) == [
        "What does “Harbour Rules” say about late arrival fees?",
        "What does “Harbour Rules” say about Night work on quays?",
    ]
    assert list_suggestions(text(client.get(f"/?doc={rules.id}"))) == list_suggestions(text(client.get("/")))


def test_every_sample_is_known_as_one():
    """Also a scanned letter without questions: it must not hide those about the others."""
    samples = list_sample_files()
    assert any(not list_sample_questions(hash_file(path)) for path in samples)
    assert all(is_sample(hash_file(path)) for path in samples)


def hash_file(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_suggestions_are_about_documents_in_language_of_page(client, ingest):
    ingest("Harbour Rules.md", RULES)
    ingest("規則.md", CHINESE_RULES)
    english, chinese = (list_suggestions(text(client.get(path))) for path in ("/", "/zh-Hant/"))
    assert len(english) == len(chinese) == 2
    assert all(question.isascii() or "“" in question for question in english)
    assert "late arrival fees" in english[0]
    assert "遲到的費用" in chinese[0]
    assert "What does" not in chinese[0]


def test_heading_that_is_a_question_is_suggested_as_it_is(client, ingest):
    ingest("Bikes.md", "# City bikes\n\n## Are the cargo bikes electric?\n\nThe blue ones are.\n")
    assert list_suggestions(text(client.get("/"))) == ["Are the cargo bikes electric?"]


def test_suggested_questions_are_answered(client, services, ingest):
    ingest("Harbour Rules.md", RULES)
    for question in list_suggestions(text(client.get("/"))):
        assert not services.answer_pipeline.answer(QuestionRequest(question)).refused, question


def test_document_without_headings_suggests_nothing(client, note):
    page = text(client.get("/"))
    assert list_suggestions(page) == []
    assert "Ask about one document in your own words." in page
