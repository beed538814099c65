"""Export formats of quotes: citations are complete, and no character breaks a format."""

from __future__ import annotations

import pytest

from highlighter.models import DOCUMENT_SUFFIXES
from highlighter.quotes.citation_formats import (
    FORMATS,
    QuoteExport,
    format_apa,
    format_bibtex,
    format_link,
    format_markdown,
)

LINK = "http://here/open?document=ab&start=1&end=9&quote=5%25+of+%7Bx%7D"


def make_export(
    quote: str = "It is due at once.", name: str = "Harbour Works.pdf", page: str = "3", **metadata
) -> QuoteExport:
    return QuoteExport.from_metadata(quote, name, page, LINK, sha256="abcdef0123456789", metadata=metadata)


@pytest.mark.parametrize("suffix", DOCUMENT_SUFFIXES)
def test_apa_names_the_document_without_an_author(suffix):
    assert (
        format_apa(make_export(name=f"Harbour Works{suffix}"))
        == f"“It is due at once.” (Harbour Works, n.d., p. 3). {LINK}"
    )


def test_apa_contains_author_year_and_title():
    citation = format_apa(make_export(author="Solberg, I.", date="2024-05-01", title="Harbour works, again"))
    assert citation == f"“It is due at once.” (Solberg, I., 2024, p. 3). Harbour works, again. {LINK}"


def test_line_breaks_and_tabs_become_spaces_in_a_quote():
    assert make_export("It is\ndue  at\tonce.").quote == "It is due at once."


def test_bibtex_entry_contains_all_known_fields():
    assert format_bibtex(make_export(author="Solberg, I.", year="2024")) == (
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
def test_bibtex_escapes_only_special_characters_of_tex(character, escaped):
    assert f"note = {{``a {escaped} b''}}" in format_bibtex(make_export(f"a {character} b"))


@pytest.mark.parametrize("quote", ["}", "{", r"\}", r"\{{", "a}b{c}} {", r"\\}"])
def test_braces_in_a_quote_do_not_end_the_bibtex_entry(quote):
    """BibTeX counts braces even after a backslash."""
    entry = format_bibtex(make_export(quote, name=f"{quote}.pdf"))
    depth = 0
    for offset, character in enumerate(entry):
        depth += (character == "{") - (character == "}")
        assert depth > 0 or offset < 5 or offset == len(entry) - 1
    assert depth == 0


def test_braces_in_a_link_do_not_end_the_url_field():
    quote_export = QuoteExport("q", "n.pdf", "1", "http://here/{x}?a={b}")
    assert "url = {http://here/%7Bx%7D?a=%7Bb%7D}" in format_bibtex(quote_export)


def test_name_without_latin_letters_gets_a_key_from_the_file_hash():
    assert format_bibtex(make_export(name="避風塘改善工程.pdf", page="iv")).startswith("@misc{document-abcdef01-piv,\n")
    assert format_bibtex(make_export(name="Größe, naïveté.pdf")).startswith("@misc{groe-naivete-p3,\n")


def test_markdown_shows_special_characters_of_the_quote_literally():
    markdown = format_markdown(make_export("*5* [x](y) <b> `z` | # _q_", name="A_b [c].pdf"))
    assert markdown == (r"> \*5\* \[x\](y) \<b\> \`z\` \| \# \_q\_" + "\n>\n" + rf"> — [A\_b \[c\], p. 3]({LINK})")
    assert format_markdown(make_export("1. First")).startswith("> 1\\. First\n")
    assert format_markdown(make_export("- First")).startswith("> \\- First\n")


def test_parentheses_do_not_end_the_link_target_in_markdown():
    assert "](http://here/%28a%29)" in format_markdown(QuoteExport("q", "n.pdf", "1", "http://here/(a)"))


def test_link_format_is_the_link_alone():
    assert format_link(make_export()) == LINK
    assert set(FORMATS) == {"apa", "bibtex", "markdown", "link"}
