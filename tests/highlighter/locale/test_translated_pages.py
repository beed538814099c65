"""Sentences made below the pages reach readers in their language, with names escaped; programs get English."""

from __future__ import annotations

import re

import pytest
from flask import render_template
from pypdf import PdfWriter

from highlighter.answering.llm.fallback import build_no_model_error
from highlighter.answering.request import MAX_ASKED_CHARACTERS
from highlighter.locale import N_, join_messages, set_language
from highlighter.models import ENCRYPTED
from highlighter.web.pages.answer_presenter import build_answer_presentation
from ingest.pipeline import ingest_file
from tests.highlighter.web.pages.answer_factory import answer

HOSTILE = "<b onclick=alert()> has no page 3; its pages are “2”.txt"


@pytest.fixture
def locked(tmp_path, services, process_pool):
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="AES-256")
    path = tmp_path / "Locked.pdf"
    writer.write(path)
    return ingest_file(path, services, process_pool).document


@pytest.fixture
def answered(app):
    """A function that renders an answer in Chinese."""

    def rendered(made) -> str:
        with app.test_request_context("/"):
            set_language("zh-Hant")
            return render_template(
                "_answer_fragment.html", fragment="answer", presentation=build_answer_presentation(made, "", "/?q=Who")
            )

    yield rendered
    set_language("en")


def text(answer) -> str:
    return answer.get_data(as_text=True)


def test_reason_of_unreadable_file_is_translated(client, locked):
    assert locked.state == ENCRYPTED
    hant, hans = "檔案設有密碼。請上傳沒有密碼的版本。", "文件设有密码。请上传没有密码的版本。"
    assert f'<span class="note">{hant}</span>' in text(client.get("/zh-Hant/documents"))
    assert hans in text(client.get(f"/zh-Hans/documents/{locked.id}"))
    assert locked.reason in text(client.get("/documents"))
    assert client.get(f"/api/v1/documents/{locked.id}", headers={"Accept-Language": "zh-TW"}).json["reason"] == (
        "The file is password-protected. Upload a copy without a password."
    )


def test_error_page_is_translated_and_api_error_is_english(client):
    page = text(client.get("/zh-Hant/documents/nothing"))
    assert "<h1>找不到</h1>" in page
    assert '找不到文件 <span lang="en">nothing</span>。它可能已刪除，或連結不完整。' in page
    reported = client.get("/api/v1/documents/nothing", headers={"Accept-Language": "zh-TW"}).json
    assert reported["detail"] == "Document nothing was not found. It may have been deleted, or the link is incomplete."
    assert "/nowhere</span> 没有网页。" in text(client.get("/zh-Hans/nowhere"))


def test_too_long_question_is_refused_in_language_of_form(client):
    data = {"question": "x" * (MAX_ASKED_CHARACTERS + 1)}
    refused = text(client.post("/zh-Hans/", data=data))
    assert f"问题有 {MAX_ASKED_CHARACTERS + 1:,} 个字符，上限为 {MAX_ASKED_CHARACTERS:,} 个。" in refused
    assert "上限為" in text(client.post("/zh-Hant/", data=data))


def test_failed_stream_reports_error_in_both_languages(client):
    streamed = client.post("/zh-Hant/", data={"question": " "}, headers={"Accept": "text/event-stream"})
    assert "請輸入問題。" in text(streamed)


def test_hostile_name_is_escaped_in_translated_sentence(client, tmp_path, services, process_pool):
    path = tmp_path / HOSTILE
    path.write_text("The ferry leaves the island at seven in the morning.", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    for language, says in (("zh-Hant", "》沒有第 9 頁："), ("zh-Hans", "》没有第 9 页：")):
        page = text(client.get(f"/{language}/documents/{document.id}/pages/9"))
        assert f'《<span lang="en">&lt;b onclick=alert()&gt; has no page 3; its pages are “2”.txt</span>{says}' in page
        assert "<b onclick" not in page


def test_reason_of_unmatched_quote_is_translated_with_differing_words(client, note):
    page = text(client.get("/zh-Hant/open", query_string={"quote": "Tickets cost nine pounds and are sold on board."}))
    assert '原文作「<span lang="en">four pounds</span>」，引文作「<span lang="en">nine pounds</span>」。' in page


def test_highlight_reasons_use_language_of_page(client, note):
    page = text(client.get(f"/zh-Hans/documents/{note.id}/chunks/0", query_string={"q": "How much is a ticket?"}))
    reasons = re.search(r'<details class="highlight-reasons">.*?</details>', page, re.DOTALL)[0]
    assert re.search(r">分数 0\.\d\d</a>：", reasons)
    assert "相似度 0." in reasons
    assert not re.search("[A-Za-z]{4,}", re.sub(r"<q[^>]*>.*?</q>|<[^>]*>", "", reasons))


def test_reason_of_unresolved_citation_is_translated(answered):
    why = join_messages(
        [
            N_("It cites “{label}”, which is not among the sources.", label="Moon"),
            N_("The closest match is {names}.", names="Mooring.pdf"),
        ]
    )
    lost = {"label": "[Moon, p.9]", "why": why}
    made = answer("Yes [Moon, p.9].", unresolved=[lost])
    page = answered(made)
    translated = "引用了「Moon」，但來源中沒有它。最接近的是 Mooring.pdf。"
    assert translated in re.sub(r"</?span[^>]*>", "", page)
    assert f'title="{translated}"' in page


def test_wrong_source_is_named_in_language_of_page(answered):
    cited = N_("It cites page {page} of {names}, which has {count} pages.", page="9", names="Lease.pdf", count=4)
    why = join_messages([cited, N_("{name}, page {page}, says this.", name="Rent, old.pdf", page=2)])
    claim = {"claim": "Yes.", "verdict": "wrong_source", "why": why}
    page = re.sub(r"</?span[^>]*>", "", answered(answer("Yes.", claims=[claim])))
    assert "引用了 Lease.pdf 第 9 頁，但該文件只有 4 頁。Rent, old.pdf 第 2 頁有這麼說。" in page
    assert "引用的來源不對" in page


def test_provider_messages_in_warnings_stay_english(answered):
    problem = N_(
        "{problem}: {details}",
        problem=N_("The provider failed (HTTP {status})", status=500),
        details="<quota> exceeded.",
    )
    warning = build_no_model_error([N_("{model}: {problem}", model="openai/gpt", problem=problem)]).detail
    page = answered(answer("Yes.", warnings=[warning]))
    assert '沒有語言模型作答。<span lang="en">openai/gpt</span>: 供應商發生錯誤（HTTP 500）：' in page
    assert '<span lang="en">&lt;quota&gt; exceeded.</span>' in page
