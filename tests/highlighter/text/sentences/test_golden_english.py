"""The public golden rules for English sentence splitting (from the pragmatic segmenter): texts with their sentences."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences

RULES = {
    "a simple stop": ["Hello World.", "My name is Jonas."],
    "a question mark": ["What is your name?", "My name is Jonas."],
    "an exclamation mark": ["There it is!", "I found it."],
    "a one-letter upper-case abbreviation": ["My name is Jonas E. Smith."],
    "a one-letter lower-case abbreviation": ["Please turn to p. 55."],
    "a two-letter lower-case abbreviation inside": ["Were Jane and co. at the party?"],
    "a two-letter upper-case abbreviation inside": ["They closed the deal with Pitt, Briggs & Co. at noon."],
    "a two-letter lower-case abbreviation at the end": ["Let's ask Jane and co.", "They should know."],
    "a two-letter upper-case abbreviation at the end": [
        "They closed the deal with Pitt, Briggs & Co.",
        "It closed yesterday.",
    ],
    "an abbreviation before a name": ["I can see Mt. Fuji from here."],
    "an abbreviation before and after a name": ["St. Michael's Church is on 5th st. near the light."],
    "a possessive abbreviation": ["That is JFK Jr.'s book."],
    "an acronym with stops inside": ["I visited the U.S.A. last year."],
    "an acronym with stops at the end": ["I live in the E.U.", "How about you?"],
    "U.S. at the end": ["I live in the U.S.", "How about you?"],
    "U.S. before a capital": ["I work for the U.S. Government in Virginia."],
    "U.S. inside": ["I have lived in the U.S. for 20 years."],
    "a.m. and p.m.": [
        "At 5 a.m. Mr. Smith went to the bank.",
        "He left the bank at 6 P.M.",
        "Mr. Smith then went to the store.",
    ],
    "a decimal inside": ["She has $100.00 in her bag."],
    "a decimal at the end": ["She has $100.00.", "It is in her bag."],
    "a bracketed sentence inside": [
        "He teaches science (He previously worked for 5 years as an engineer.) at the local University."
    ],
    "an e-mail address": ["Her email is Jane.Doe@example.com.", "I sent her an email."],
    "a web address": ["The site is: https://www.example.50.com/new-site/awesome_content.html.", "Please check it out."],
    "single quotes inside": ["She turned to him, 'This is great.' she said."],
    "double quotes inside": ['She turned to him, "This is great." she said.'],
    "double quotes at the end": ['She turned to him, "This is great."', "She held the book out to show him."],
    "two exclamation marks": ["Hello!!", "Long time no see."],
    "two question marks": ["Hello??", "Who is there?"],
    "an exclamation and a question mark": ["Hello!?", "Is that you?"],
    "a question and an exclamation mark": ["Hello?!", "Is that you?"],
    "a list: stop and bracket, none at the end": ["1.) The first item", "2.) The second item"],
    "a list: stop and bracket, stop at the end": ["1.) The first item.", "2.) The second item."],
    "a list: bracket, none at the end": ["1) The first item", "2) The second item"],
    "a list: bracket, stop at the end": ["1) The first item.", "2) The second item."],
    "a list: stop, none at the end": ["1. The first item", "2. The second item"],
    "a list: stop, stop at the end": ["1. The first item.", "2. The second item."],
    "a list with bullets": ["• 9. The first item", "• 10. The second item"],
    "a list with hyphen bullets": ["⁃9. The first item", "⁃10. The second item"],
    "a list by letters": ["a. The first item", "b. The second item", "c. The third list item"],
    "geographic coordinates": ["You can find it at N°. 1026.253.553.", "That is where the treasure is."],
    "a name with an exclamation mark": ["She works at Yahoo! in the accounting department."],
    "I at the end and I as an initial": ["We make a good team, you and I.", "Did you see Albert I. Jones yesterday?"],
    "an ellipsis at the end of a quotation": [
        "Thoreau argues that by simplifying one’s life, “the laws of the universe will appear less complex. . . .”"
    ],
    "an ellipsis in square brackets": [
        '"Bohr [...] used the analogy of parallel stairways [...]" (Smith 55).',
    ],
    "an ellipsis and a stop at the end": [
        "If words are left off at the end of a sentence, and that is all that is omitted, indicate the omission with "
        "ellipsis marks (preceded and followed by a space) and then indicate the end of the sentence with a period . . . .",
        "Next sentence.",
    ],
    "four dots at the end": ["I never meant that....", "She left the store."],
    "an ellipsis inside": [
        "I wasn’t really ... well, what I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it."
    ],
    "a stop and an ellipsis": [
        "One further habit which was somewhat weakened . . . was that of combining words into self-interpreting compounds.",
        ". . . The practice was not abandoned. . . .",
    ],
}
BY_TEXT = {
    "no space between sentences": (
        "Hello world.Today is Tuesday.Mr. Smith went to the store and bought 1,000.That is a lot.",
        ["Hello world.", "Today is Tuesday.", "Mr. Smith went to the store and bought 1,000.", "That is a lot."],
    ),
    "a line break inside, as PDFs have it": (
        "This is a sentence\ncut off in the middle because pdf.",
        ["This is a sentence\ncut off in the middle because pdf."],
    ),
    "a line break inside": ("It was a cold \nnight in the city.", ["It was a cold \nnight in the city."]),
    "a lower-case list by lines": (
        "features\ncontact manager\nevents, activities\n",
        ["features", "contact manager", "events, activities"],
    ),
}
ALL = {name: (" ".join(sentences), sentences) for name, sentences in RULES.items()} | BY_TEXT


@pytest.mark.parametrize("name", ALL)
def test_english_is_split_by_the_golden_rules(name):
    text, sentences = ALL[name]
    assert [span.text for span in split_sentences(text)] == sentences
