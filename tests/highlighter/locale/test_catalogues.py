"""Every message of pages and scripts is in every catalogue, with the same placeholders."""

from __future__ import annotations

import re

import pytest

from highlighter.locale import LANGUAGES, N_, gettext, ngettext, script_translations, set_language
from highlighter.locale.message_extraction import extract_messages, read_catalogue_file

TRANSLATED = [language for language in LANGUAGES if language != "en"]
PLACE = re.compile(r"%\(\w+\)s")
translated = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture(autouse=True)
def english_after():
    yield
    set_language("en")


@pytest.fixture(scope="module")
def message() -> set:
    return {one.id for one in extract_messages() if one.id}


def test_messages_come_from_templates_scripts_and_python(message):
    assert "Skip to content" in message  # a template
    assert "Copying is not allowed here" in message  # a script
    assert "The file cannot be read" in message  # an error
    assert ("%(num)s page", "%(num)s pages") in message
    assert len(message) > 300


@translated
def test_catalogue_is_complete_without_fuzzy_or_unused_messages(language, message):
    catalogue = {one.id: one for one in read_catalogue_file(language) if one.id}
    assert message - set(catalogue) == set(), "python -m highlighter.locale adds them"
    assert set(catalogue) - message == set()
    strings = {key: one.string if isinstance(one.string, tuple) else (one.string,) for key, one in catalogue.items()}
    assert [key for key, words in strings.items() if not all(words)] == []
    assert [key for key, one in catalogue.items() if one.fuzzy] == []


@translated
def test_translation_has_same_placeholders_as_english(language):
    for one in read_catalogue_file(language):
        if one.id:
            english = one.id[-1] if one.pluralizable else one.id
            for words in one.string if one.pluralizable else (one.string,):
                assert set(PLACE.findall(words)) == set(PLACE.findall(english)), one.id


def test_messages_are_translated_and_english_needs_no_catalogue():
    found = {}
    for language in LANGUAGES:
        set_language(language)
        found[language] = (gettext("Library"), ngettext("%(num)s page", "%(num)s pages", 2))
    assert found == {
        "en": ("Library", "%(num)s pages"),
        "zh-Hant": ("文件庫", "%(num)s 頁"),
        "zh-Hans": ("文档库", "%(num)s 页"),
    }


def test_scripts_get_only_their_own_messages():
    assert script_translations() == {}
    set_language("zh-Hant")
    words = script_translations()
    assert words["Copied"] == "已複製"
    assert words["Answer ready, with %(num)s citation."] == "答案已完成，引用 %(num)s 處。"
    assert "Library" not in words
    assert N_("Library") == "Library"
