"""Plain text is read in any encoding and with any line ends."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, TOO_LARGE, UNSUPPORTED_KIND
from ingest.readers import txt
from ingest.readers.txt_encoding import decode_text
from samples.making import notes
from tests.properties import given, settings, st

SAMPLES = Path(__file__).parents[3] / "samples"
GERMAN = "Der Hafenmeister prüft die Mole täglich. Größere Schäden meldet er sofort der Behörde in Übersee. " * 8
CHINESE = (
    "公司每个工作日为每名员工补贴午餐费十五元。补贴存入员工卡，当月有效，不能兑换现金。早餐和晚餐由员工自己付费。" * 8
)
CANTONESE = "署方代表回覆話，夜晚十一點之後唔會打樁，亦唔會用任何嘈嘅機器。請議員就上述工程建議提供意見。" * 8
RUSSIAN = "Начальник порта ежедневно осматривает мол и немедленно сообщает о повреждениях. " * 8


def read(folder: Path, content: str | bytes, **options):
    path = folder / "file.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return txt.read(path, **options)


def state_of(folder: Path, content: bytes, **options) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(folder, content, **options)
    assert caught.value.detail.endswith(".")
    return caught.value.state


def test_the_samples_are_read_with_lines_joined_and_headings_found():
    reading = txt.read(SAMPLES / notes.SAFETY_NAME)
    assert "has passed" not in reading.text
    assert "passed the training of 2 hours with Ms Aiko Brandt" in reading.text
    assert [reading.text[h.start : h.end] for h in reading.headings] == [
        "LABORATORY SAFETY NOTE",
        "1. BEFORE YOU START",
        "2. ACIDS AND SOLVENTS",
        "3. THE COMPRESSION PRESS",
        "4. FIRE AND ALARM",
        "5. WASTE",
    ]
    reading = txt.read(SAMPLES / notes.CANTEEN_NAME)
    assert [reading.text[h.start : h.end] for h in reading.headings][:3] == [
        "员工食堂管理办法",
        "第一章 总则",
        "第二章 就餐时间和标准",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_read_with_and_without_its_mark(tmp_path, encoding):
    assert read(tmp_path, "Grüße, 你好 and hello.".encode(encoding)).text == "Grüße, 你好 and hello."


def test_big_endian_with_a_mark(tmp_path):
    assert read(tmp_path, codecs.BOM_UTF16_BE + "Grüße".encode("utf-16-be")).text == "Grüße"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (CHINESE, "gb18030"),
        (CANTONESE, "big5hkscs"),
        ("请把补贴存入员工卡。", "gbk"),
        ("署方代表回覆話，夜晚十一點之後唔會打樁。", "big5hkscs"),
        ("これは短い文章です。漢字もあります。", "shift_jis"),
        ("これは短い文章です。漢字もあります。", "euc_jp"),
        ("안녕하세요. 한국어 문장입니다.", "euc_kr"),
        ("Señor, ¿cómo está? Mañana.", "cp1252"),
        ("L’été dernier, à Nîmes, il faisait “chaud”.", "cp1252"),
        ("Zażółć gęślą jaźń, proszę bardzo.", "cp1250"),
        ("Die Umlaute ÄÖÜäöüß sind erlaubt.", "cp1252"),
        ("Les caractères interdits : éèàùç.", "cp1252"),
        ("Vogais: áéíóúê e ãõ.", "cp1252"),
        ("ÅÄÖåäö. Hyresgästen betalar.", "cp1252"),
    ],
)
def test_older_encodings_are_recognised_even_in_short_texts(tmp_path, text, encoding):
    assert read(tmp_path, text.encode(encoding)).text.split() == text.split()


def test_two_bad_bytes_in_utf8_leave_a_mark_and_a_warning(tmp_path):
    content = GERMAN.encode()[:200] + b"\xff\xfe" + GERMAN.encode()[200:]
    reading = read(tmp_path, content)
    assert reading.text.count("\ufffd") == 2
    assert reading.warnings == ("2 characters of the file are not valid utf-8 and are shown as question marks.",)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\x85", "\u2028"])
def test_every_kind_of_line_end_is_recognised(tmp_path, end):
    assert read(tmp_path, f"Ann Lee{end}Bryggen 12{end}Bergen").text == "Ann Lee\nBryggen 12\nBergen"


def test_marks_of_where_words_may_break_are_no_text_and_joiners_of_letters_are(tmp_path):
    text = "The con\xadtract is ter\xad\nminated. Zero\u200bwidth. \u0645\u06cc\u200c\u062a\u0648\u0627\u0646"
    assert read(tmp_path, text.encode()).text == text.replace("\xad\n", "").replace("\xad", "").replace("\u200b", "")


def test_form_feed_separates_blocks(tmp_path):
    assert read(tmp_path, "One.\x0cTwo.").text == "One.\n\nTwo."


def test_nul_and_lone_surrogates_never_reach_the_text(tmp_path):
    text = read(tmp_path, "a\0b \ud800 c".encode("utf-8", "surrogatepass")).text
    assert text.startswith("a\ufffdb ")
    assert text.endswith(" c")
    assert not any("\ud800" <= char <= "\udfff" or char == "\0" for char in text)


@pytest.mark.parametrize("content", [b"", b"  \n\t\n", codecs.BOM_UTF8])
def test_nothing_but_blanks_is_empty(tmp_path, content):
    assert state_of(tmp_path, content) == EMPTY


@pytest.mark.parametrize("content", [b"%PDF-1.7 ...", b"PK\x03\x04", b"\x89PNG\r\n", bytes(range(256)) * 40])
def test_binary_file_is_unsupported_whatever_its_name(tmp_path, content):
    assert state_of(tmp_path, content) == UNSUPPORTED_KIND


def test_one_endless_line_is_too_large_before_it_is_read(tmp_path):
    with (tmp_path / "file.txt").open("wb") as file:
        file.truncate(50 << 20)
    with pytest.raises(UnreadableFile) as caught:
        txt.read(tmp_path / "file.txt")
    assert caught.value.state == TOO_LARGE


def test_the_limit_counts_characters_and_can_be_set(tmp_path):
    assert read(tmp_path, "你好你好", max_characters=4).text == "你好你好"
    assert state_of(tmp_path, "你好你好吗".encode(), max_characters=4) == TOO_LARGE


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_typed_error(tmp_path, data):
    try:
        reading = read(tmp_path, data)
    except UnreadableFile:
        return
    assert reading.text == reading.text.strip("\n")
    assert "\n\n\n" not in reading.text


@settings(max_examples=200)
@given(st.text(alphabet=st.characters(blacklist_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=200))
def test_utf8_text_is_always_read_as_utf8(text):
    if len(text) > 1 and text.encode()[:4] not in (b"GIF8", b"RIFF"):
        expected = re.sub("[\xad\u200b\u2060\ufeff]", "", text)
        assert decode_text(text.encode())[0] == re.sub("[\ufffe\uffff]", "\ufffd", expected)
