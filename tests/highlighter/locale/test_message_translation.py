"""A message is translated by its id, with its values put into the translation."""

from __future__ import annotations

from string import Formatter

import pytest

from highlighter.errors import NotFound
from highlighter.locale import LANGUAGES, N_, end_sentence, join_messages, read_catalogue
from highlighter.locale.message_translation import TRANSLATION, UNTRANSLATED, VALUE, translate_message

TRANSLATED = [language for language in LANGUAGES if language != "en"]
translated = pytest.mark.parametrize("language", TRANSLATED)


def words(message: str, language: str = "zh-Hant") -> str:
    return "".join(run.words for run in translate_message(message, language))


def messages(language: str) -> list:
    return [
        one
        for one in read_catalogue(language)
        if one.id and not one.pluralizable and any(path.endswith(".py") for path, _ in one.locations)
    ]


def placeholders(message: str) -> list[tuple]:
    return sorted(part[1:] for part in Formatter().parse(message) if part[1] is not None)


@translated
def test_translation_has_each_placeholder_once_in_the_same_format(language):
    for one in messages(language):
        assert placeholders(one.string) == placeholders(one.id), one.id


@translated
def test_values_are_inserted_as_they_are(language):
    for one in messages(language):
        values = {
            name: 1234.5
            if specification[-1:] in tuple("fg%") and specification
            else 1234
            if specification
            else f"<{name}>. {{0}}"
            for name, specification, _ in placeholders(one.id)
        }
        found = translate_message(N_(one.id, **values), language)
        assert "".join(run.words for run in found) == (one.string.format(**values) if values else one.string)
        assert N_(one.id, **values) == (one.id.format(**values) if values else one.id)
        assert sum(run.kind == VALUE for run in found) == len(values), one.id


def test_values_that_read_like_messages_stay_themselves():
    message = N_("“{query}” was not found in {name}.", query="a” was not found in “b", name="The file is empty.")
    assert message == "“a” was not found in “b” was not found in The file is empty.."
    assert words(message) == "在《The file is empty.》中找不到「a” was not found in “b」。"


def test_messages_within_messages_are_translated():
    problem = NotFound("The file is empty.").detail
    assert words(N_("{model}: {problem}", model="The file is empty.", problem=problem)) == (
        "The file is empty.: 檔案是空的。"
    )


def test_joined_messages_have_no_space_after_a_full_width_stop():
    message = join_messages(
        [
            N_("Pages {pages} of {total}:", pages="2-3", total=9),
            join_messages([N_("scans without selectable text."), ""]),
            N_("Text recognition is switched off (OCR=0)."),
        ]
    )
    assert message == "Pages 2-3 of 9: scans without selectable text. Text recognition is switched off (OCR=0)."
    assert words(message) == "第 2-3 頁（共 9 頁）：是沒有可選取文字的掃描圖像。文字辨識已關閉（OCR=0）。"


def test_title_becomes_a_sentence():
    assert words(end_sentence(N_("The Word file is not a valid zip archive")), "zh-Hans") == (
        "Word 文件不是有效的 zip 压缩文件。"
    )
    assert NotFound().detail == "Not found."
    assert words(NotFound().detail) == "找不到。"
    assert end_sentence("quota exceeded") == "quota exceeded."


def test_texts_that_are_no_messages_stay_and_are_marked():
    problem = N_("The provider failed (HTTP {status})", status=500)
    message = N_("{problem}: {details}", problem=problem, details="quota exceeded.")
    assert [(run.words, run.kind) for run in translate_message(message, "zh-Hant")] == [
        ("供應商發生錯誤（HTTP ", TRANSLATION), ("500", VALUE), ("）", TRANSLATION), ("：", TRANSLATION),
        ("quota exceeded.", VALUE),
    ]  # fmt: skip
    assert [(run.words, run.kind) for run in translate_message("Nobody knows this.", "zh-Hans")] == [
        ("Nobody knows this.", UNTRANSLATED)
    ]
    assert words(join_messages(["Nobody knows this.", "The file is empty."])) == "Nobody knows this. 檔案是空的。"


def test_english_and_empty_text_stay_unchanged():
    assert words(N_("{name} was just deleted.", name="a"), "en") == "a was just deleted."
    assert translate_message("", "zh-Hant") == ()
