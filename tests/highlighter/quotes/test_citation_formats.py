"""A quote and its citation survive the formats they are taken along in, whatever characters they are made of."""

from __future__ import annotations

import pytest

from highlighter.quotes.citation_formats import (
    FORMATS,
    QuoteExport,
    format_apa,
    format_bibtex,
    format_link,
    format_markdown,
)

LINK = "http://here/open?document=ab&start=1&end=9&quote=5%25+of+%7Bx%7D"


def cited(quote: str = "It is due at once.", name: str = "Harbour Works.pdf", page: str = "3", **meta) -> QuoteExport:
    return QuoteExport.from_metadata(quote, name, page, LINK, "abcdef0123456789", meta)


def test_apa_names_the_work_where_no_author_is_known():
    assert format_apa(cited()) == f"“It is due at once.” (Harbour Works, n.d., p. 3). {LINK}"


def test_apa_with_what_was_said_of_the_document():
    said = format_apa(cited(author="Solberg, I.", date="2024-05-01", title="Harbour works, again"))
    assert said == f"“It is due at once.” (Solberg, I., 2024, p. 3). Harbour works, again. {LINK}"


def test_lines_and_gaps_of_the_text_are_spaces_in_a_quote():
    assert cited("It is\ndue  at\tonce.").quote == "It is due at once."


def test_bibtex_is_one_entry_with_what_is_known():
    assert format_bibtex(cited(author="Solberg, I.", year="2024")) == (
        "@misc{solberg-harbour-works-p3,\n"
        "  author = {{Solberg, I.}},\n"
        "  title = {{Harbour Works}},\n"
        "  year = {2024},\n"
        "  pages = {3},\n"
        "  howpublished = {Harbour Works.pdf},\n"
        "  note = {``It is due at once.''},\n"
        f"  url = {{{LINK}}},\n"
        "}"
    )


@pytest.mark.parametrize(
    ("character", "escaped"),
    [
        ("&", r"\&"), ("%", r"\%"), ("$", r"\$"), ("#", r"\#"), ("_", r"\_"), ("{", r"\textbraceleft{}"), ("}", r"\textbraceright{}"),
        ("~", r"\textasciitilde{}"), ("^", r"\textasciicircum{}"), ("\\", r"\textbackslash{}"),
        ("“", "``"), ("’", "'"), ("£", "£"), ("避", "避"), ("😀", "😀"),
    ],
)  # fmt: skip
def test_bibtex_escapes_what_means_something_to_tex_and_nothing_else(character, escaped):
    assert f"note = {{``a {escaped} b''}}" in format_bibtex(cited(f"a {character} b"))


@pytest.mark.parametrize("quote", ["}", "{", r"\}", r"\{{", "a}b{c}} {", r"\\}"])
def test_braces_in_a_quote_never_end_the_entry(quote):
    """BibTeX counts them, whether or not a backslash stands before them."""
    entry = format_bibtex(cited(quote, name=f"{quote}.pdf"))
    depth = 0
    for at, character in enumerate(entry):
        depth += (character == "{") - (character == "}")
        assert depth > 0 or at < 5 or at == len(entry) - 1
    assert depth == 0


def test_a_link_cannot_end_its_field_either():
    made = QuoteExport("q", "n.pdf", "1", "http://here/{x}?a={b}")
    assert "url = {http://here/%7Bx%7D?a=%7Bb%7D}" in format_bibtex(made)


def test_a_name_without_latin_letters_gets_a_key_by_its_bytes():
    assert format_bibtex(cited(name="避風塘改善工程.pdf", page="iv")).startswith("@misc{document-abcdef01-piv,\n")
    assert format_bibtex(cited(name="Größe, naïveté.pdf")).startswith("@misc{groe-naivete-p3,\n")


def test_markdown_shows_the_quote_as_it_is():
    said = format_markdown(cited("*5* [x](y) <b> `z` | # _q_", name="A_b [c].pdf"))
    assert said == (r"> \*5\* \[x\](y) \<b\> \`z\` \| \# \_q\_" + "\n>\n" + rf"> — [A\_b \[c\], p. 3]({LINK})")
    assert format_markdown(cited("1. First")).startswith("> 1\\. First\n")
    assert format_markdown(cited("- First")).startswith("> \\- First\n")


def test_parentheses_do_not_end_the_address_in_markdown():
    assert "](http://here/%28a%29)" in format_markdown(QuoteExport("q", "n.pdf", "1", "http://here/(a)"))


def test_the_link_alone():
    assert format_link(cited()) == LINK
    assert set(FORMATS) == {"apa", "bibtex", "markdown", "link"}
