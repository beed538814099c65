"""The language and direction of texts on the pages."""

from __future__ import annotations

import lxml.html
import pytest

from highlighter.locale import ENGLISH, set_language
from highlighter.web.text_language import (
    build_input_attributes,
    build_lang_attributes,
    choose_language,
    find_differing_language,
    name_other_language,
)
from ingest.pipeline import ingest_file

ARABIC = "تُفتح القاعة من الساعة 9:00 إلى 17:00، 3-4 أيام في الأسبوع."
GERMAN = "Der Mieter zahlt die Miete bis zum dritten Werktag eines Monats."
MIXED = f"""{ARABIC} أجرة اليوم الواحد 250 درهمًا، ويُدفع 50% منها مقدمًا. يُمنع التدخين داخل القاعة في كل يوم.

12:30, 3-4

The hall is opened by the caretaker, who has the keys.

Acme GmbH

القاعة\tالسعر
الكبرى\tNEC4
"""


@pytest.fixture(autouse=True)
def in_english():
    yield
    set_language(ENGLISH)


@pytest.mark.parametrize(
    ("page", "text", "around", "attributes"),
    [
        ("en", ARABIC, "", ' lang="ar" dir="rtl"'),
        ("en", GERMAN, "", ' lang="de"'),
        ("en", "note.txt", "", ""),
        ("zh-Hant", "note.txt", "", ' lang="en"'),
        ("zh-Hant", "Who pays for the delay?", "", ' lang="en"'),
        ("en", "Who pays for the delay?", "ar", ' lang="en" dir="ltr"'),
        ("en", "Acme GmbH", "ar", ' lang="en" dir="ltr"'),
        ("en", "Acme GmbH", "de", ""),
        ("en", "12:30", "ar", ""),
        ("en", "東京都庁", "ja", ""),  # of Japanese and Chinese characters alone: the text around them decides
        ("en", "工程日期", "zh-Hans", ""),
        ("en", " ", "", ""),
    ],
)
def test_attributes_say_what_differs_from_the_element_around(page, text, around, attributes):
    set_language(page)
    assert str(build_lang_attributes(text, around)) == attributes


def test_field_follows_the_direction_of_what_is_typed():
    assert str(build_input_attributes("")) == ' dir="auto"'
    assert str(build_input_attributes(ARABIC)) == ' lang="ar" dir="auto"'


@pytest.mark.parametrize(
    ("page", "text", "question", "name"),
    [
        ("en", GERMAN, "When is the rent due?", "German"),
        ("zh-Hant", GERMAN, "When is the rent due?", "德文"),
        ("en", "違者最高罰款五千元。", "What is the fine?", "Chinese"),
        ("en", GERMAN, "Wann ist die Miete fällig?", ""),  # the reader reads it
        ("en", "The rent is due on the first day.", "Wann ist die Miete fällig?", ""),  # the page's own
        ("en", "12:30", "", ""),
    ],
)
def test_language_is_named_that_is_neither_that_of_the_page_nor_of_the_question(page, text, question, name):
    set_language(page)
    assert name_other_language(text, question) == name


def test_text_without_words_that_tell_counts_as_english():
    assert choose_language("Acme 2025") == "en"


@pytest.fixture
def mixed(services, process_pool, tmp_path):
    path = tmp_path / "قواعد.txt"
    path.write_text(MIXED, encoding="utf-8")
    return ingest_file(path, services, process_pool).document


def test_each_paragraph_and_cell_of_text_view_has_its_language_and_direction(client, mixed):
    page = lxml.html.fromstring(client.get(f"/documents/{mixed.id}/chunks/0").get_data(as_text=True))
    (text,) = page.find_class("text")
    shown = {" ".join(node.text_content().split())[:12]: node for node in text.xpath(".//p | .//td")}
    attributes = {words: (node.get("lang"), node.get("dir")) for words, node in shown.items()}
    assert (text.get("lang"), text.get("dir")) == ("ar", "rtl")
    assert attributes == {
        ARABIC[:12]: (None, None), "12:30, 3-4": (None, None), "The hall is ": ("en", "ltr"),
        "Acme GmbH": ("en", "ltr"), "القاعة": (None, None), "السعر": (None, None), "الكبرى": (None, None),
        "NEC4": ("en", "ltr"),
    }  # fmt: skip
    assert page.xpath('//h1[@lang="ar"][@dir="rtl"]')
    assert [node.text_content() for node in page.xpath('//p[@class="crumb"]') if "Arabic" in node.text_content()]


def test_highlighted_sentence_is_one_text_node(client, mixed):
    """A browser translates text nodes: a sentence in several is translated in fragments."""
    page = lxml.html.fromstring(
        client.get(f"/documents/{mixed.id}/chunks/0", query_string={"q": "متى تُفتح القاعة؟"}).get_data(as_text=True)
    )
    assert [mark.xpath("text()") for mark in page.xpath('//div[@class="text"]//mark')] == [[ARABIC]]


def test_search_hit_names_its_language(client, mixed):
    page = lxml.html.fromstring(
        client.get("/search", query_string={"q": "How much rent is paid in advance for a day?"}).get_data(as_text=True)
    )
    (result,) = page.xpath('//ol[@class="results"]/li')
    assert "Arabic" in result.find_class("crumb")[0].text_content()
    (excerpt,) = result.find_class("excerpt")
    assert (excerpt.get("lang"), excerpt.get("dir")) == ("ar", "rtl")


@pytest.mark.parametrize(
    ("sentence", "around", "code"),
    [
        (GERMAN, "The hall is opened by the caretaker, who has the keys.", "de"),
        (ARABIC, "The hall is opened by the caretaker, who has the keys.", "ar"),
        (GERMAN, GERMAN, ""),
        ("12:30, 3-4", GERMAN, ""),
        ("違者最高罰款五千元。", "大堂由管理員開啟，他有鑰匙。", ""),
    ],
)
def test_sentence_has_a_language_of_its_own_only_where_it_differs(sentence, around, code):
    assert find_differing_language(sentence, around) == code


@pytest.mark.parametrize(
    ("sentence", "name", "attributes"), [(GERMAN, "German", ' lang="de"'), (ARABIC, "Arabic", ' lang="ar" dir="rtl"')]
)
def test_highlighted_sentence_in_another_language_is_marked_and_named(
    services, process_pool, client, tmp_path, sentence, name, attributes
):
    english = "The hall is opened by the caretaker, who has the keys. The rent is due on the first day of the month. "
    path = tmp_path / "mixed.txt"
    path.write_text(f"{english * 6}\n\n{sentence}\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    start = services.catalog.text(document).index(sentence[:20])
    url = f"/documents/{document.id}/chunks/0?at={start}-{start + len(sentence)}"
    page = client.get(url).text
    assert f'data-n="1"{attributes} id="mark-1"' in page
    assert f"sentence in {name}" in page
    assert "sentence in" not in client.get(f"/documents/{document.id}/chunks/0?at=0-54").text
