"""An English sentence is matched with its message and translated with the same values."""

from __future__ import annotations

import pytest

from highlighter.locale import LANGUAGES, read_catalogue
from highlighter.locale.sentence_translation import (
    PLACEHOLDER,
    TRANSLATION,
    UNTRANSLATED,
    VALUE,
    load_templates,
    translate_sentences,
)

TRANSLATED = [language for language in LANGUAGES if language != "en"]
translated = pytest.mark.parametrize("language", TRANSLATED)
LONG = 100_000


def words(message: str, language: str = "zh-Hant") -> str:
    return "".join(run.words for run in translate_sentences(message, language))


def messages(language: str) -> list:
    return [
        one
        for one in read_catalogue(language)
        if one.id and not one.pluralizable and any(path.endswith(".py") for path, _ in one.locations)
    ]


@translated
def test_filled_message_is_matched_and_keeps_values(language):
    for one in messages(language):
        values = [f"Value <{number}>. {'v' * number}" for number in range(len(PLACEHOLDER.findall(one.id)))]
        found = translate_sentences(one.id.format(*values) if values else one.id, language)
        assert "".join(run.words for run in found) == (one.string.format(*values) if values else one.string), one.id
        assert sorted(run.words for run in found if run.kind == VALUE) == sorted(values), one.id


@translated
def test_translation_has_each_placeholder_once(language):
    for one in messages(language):
        assert sorted(PLACEHOLDER.findall(one.string)) == sorted(PLACEHOLDER.findall(one.id)), one.id
        assert "}{" not in one.id, "where one value ends and the next begins, nobody could tell"


def test_several_sentences_are_split_and_joined_without_space():
    assert words("Pages 2-3 of 9: scans without selectable text. Text recognition is switched off (OCR=0).") == (
        "第 2-3 頁（共 9 頁）：是沒有可選取文字的掃描圖像。文字辨識已關閉（OCR=0）。"
    )
    assert (
        words("“A” does not name a document. “B” does not name a document.")
        == "「A」沒有指明任何文件。「B」沒有指明任何文件。"
    )


def test_title_with_stop_is_translated_as_sentence():
    assert words("The Word file is damaged. The Word file is not a valid zip archive.", "zh-Hans") == (
        "Word 文件已损坏。Word 文件不是有效的 zip 压缩文件。"
    )
    assert words("The provider failed (HTTP 500).") == "供應商發生錯誤（HTTP 500）。"


def test_stop_within_value_does_not_end_sentence():
    name = "Dr. A. Chan v. The Crown. Final.pdf"
    assert words(f"{name} has no text to show. The file is empty.") == f"《{name}》沒有文字可顯示。檔案是空的。"


def test_untranslated_text_stays_and_is_marked():
    message = "The provider failed (HTTP 500): quota exceeded."
    assert [(run.words, run.kind) for run in translate_sentences(message, "zh-Hant")] == [
        ("供應商發生錯誤（HTTP ", TRANSLATION), ("500", VALUE), ("）：", TRANSLATION), ("quota exceeded.", UNTRANSLATED)
    ]  # fmt: skip
    assert [(run.words, run.kind) for run in translate_sentences("Nobody knows this.", "zh-Hans")] == [
        ("Nobody knows this.", UNTRANSLATED)
    ]
    assert words("Nobody knows this. The file is empty.") == "Nobody knows this. 檔案是空的。"


def test_english_and_empty_text_stay_unchanged():
    assert words("The file is empty.", "en") == "The file is empty."
    assert translate_sentences("", "zh-Hant") == ()


def test_values_with_words_of_template_are_kept_whole():
    message = "“a” was not found in “b” was not found in c.txt."
    assert words(message) == "在《c.txt》中找不到「a” was not found in “b」。"


@pytest.mark.parametrize(
    "value",
    [
        "x" * LONG,
        ". " * (LONG // 2),
        ": " * (LONG // 2),
        " has no page " * (LONG // 13),
        "” where the quote says “" * (LONG // 24),
        "The file is empty. " * (LONG // 19),
    ],
)
@pytest.mark.parametrize("sentence", ["{0} has no page 3; its last is 2.", "The text says “{0}” where it ends", "{0}"])
def test_long_and_hostile_values_are_matched_quickly(value, sentence):
    """By trying every way to fill the places this would take hours."""
    load_templates("zh-Hant")
    found = translate_sentences(sentence.format(value), "zh-Hant")
    assert sum(len(run.words) for run in found if run.kind != TRANSLATION) >= 0.9 * LONG
