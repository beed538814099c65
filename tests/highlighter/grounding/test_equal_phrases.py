"""Phrases that say the same are written alike before a model reads them."""

import pytest

from highlighter.grounding.equal_phrases import unify_phrases


@pytest.mark.parametrize(
    ("claim", "sentence", "unified"),
    [
        ("Notice is two weeks.", "Notice is given within 14 days.", "Notice is given within two weeks."),
        ("租期於民國117年屆滿。", "租期於民國一百一十七年屆滿。", "租期於民國117年屆滿。"),
        ("The fee is 14 pounds.", "The fee is fourteen pounds.", "The fee is fourteen pounds."),
        ("The fee is 1,200 euros.", "The fee is 1,200 euros, not 1,500 euros.", "The fee is 1,200 euros."),
        ("Figures are published.", "Figures are published, not later than in May.", "Figures are published, not later than in May."),
        ("The room holds 14 people.", "The room holds 14 people, not 24 people.", "The room holds 14 people."),
        ("The room holds 24 people.", "The room holds 14 people, not 24 people.", "The room holds 14 people, not 24 people."),
        ("It leans by 6 cm.", "It leans by 60 mm.", "It leans by 6 cm."),
        ("It lasts half an hour.", "It lasts 30 minutes.", "It lasts half an hour."),
        ("Take 0.5 g daily.", "Take 500mg daily.", "Take 0.5 g daily."),
        ("Revenue was EUR 1.48 billion.", "Revenue was EUR 1,480 million.", "Revenue was EUR 1.48 billion."),
        ("Revenue was EUR 812.4 billion.", "Revenue was EUR 812.4.", "Revenue was EUR 812.4."),
        ("Revenue was EUR 812.4 billion.", "Revenue was EUR 812.4 million.", "Revenue was EUR 812.4 million."),
        ("Revenue was about EUR 1.48 billion.", "Revenue was EUR 1,476.8 million.", "Revenue was EUR 1.48 billion."),
        ("步道长约1.5公里。", "步道长1480米。", "步道长1.5公里。"),
        ("It lasts about 300 days.", "It lasts 312 weeks.", "It lasts 312 weeks."),
        ("It leans by 6 cm.", "It leans by 600 mm.", "It leans by 600 mm."),
        ("All except dogs may enter.", "All may enter, with the exception of dogs.", "All may enter, except dogs."),
        ("The fee is £5 plus VAT.", "The fee is £5 excluding VAT.", "The fee is £5 plus VAT."),
        ("Article 4 applies.", "Article IV applies.", "Article 4 applies."),
        ("All may enter.", "All may enter, with the exception of dogs.", "All may enter, with the exception of dogs."),
        ("They have 二十七 days.", "They have twenty-seven days.", "They have twenty-seven days."),
        ("The deposit is five weeks' rent.", "The deposit is 36 days' rent.", "The deposit is 36 days' rent."),
    ],
)  # fmt: skip
def test_sentence_is_read_in_the_words_of_the_claim(claim, sentence, unified):
    assert unify_phrases(claim, [sentence]) == (claim, [unified])
