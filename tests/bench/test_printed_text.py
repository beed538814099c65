"""Words are compared in order, and characters in scripts without spaces."""

import pytest

from bench.printed_text import compare_words, read_html, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two words.", ["two", "words."]),
        ("日本 語", ["日", "本", "語"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("می\u200cرود", ["میرود"]),
    ],
)
def test_words_are_split_by_script(text, words):
    assert split_words(text) == words


def test_words_out_of_order_are_not_matched():
    agreement = compare_words("one two three four", "one three two four five")
    assert (agreement.recall, agreement.precision) == (0.75, 0.6)


def test_html_is_read_without_readings_and_styles():
    assert read_html("<style>p {}</style><p>a<b>b</b></p><p><ruby>契<rt>けい</rt></ruby>約</p>") == "ab 契約"
