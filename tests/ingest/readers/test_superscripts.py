"""Exponents and indices are characters of the text in every format; the mark of a note stands in brackets."""

from __future__ import annotations

import re

import pytest

from ingest.readers import docx, markdown
from ingest.readers.html import read_html_blocks
from tests.ingest.readers.test_docx import paragraph, run, word_file

CASES = [
    ("10<sup>6</sup> cells", "10⁶ cells"),
    ("5 × 10<sup>-6</sup> g", "5 × 10⁻⁶ g"),
    ("p < 10<sup>–3</sup>", "p < 10⁻³"),
    ("25 m<sup>2</sup> and 25m<sup>2</sup>", "25 m² and 25m²"),
    ("3 m·s<sup>−1</sup>", "3 m·s⁻¹"),
    ("面积25m<sup>2</sup>。", "面积25m²。"),
    ("x<sup>n+1</sup> and 10<sup>n</sup>", "xⁿ⁺¹ and 10ⁿ"),
    ("10<sup>100000</sup>", "10^100000"),
    ("x<sup>2.5</sup>", "x^(2.5)"),
    ("e<sup>−kt</sup> and e<sup>x</sup>y", "e^(−kt) and e^x y"),
    ("(a+b)<sup>2</sup>", "(a+b)²"),
    ("R<sup>2</sup> of χ<sup>2</sup>", "R² of χ²"),
    ("H<sub>2</sub>O and CO<sub>2</sub>-free", "H₂O and CO₂-free"),
    ("Ca<sup>2+</sup>, SO<sub>4</sub><sup>2−</sup>, OH<sup>−</sup>", "Ca²⁺, SO₄²⁻, OH⁻"),
    ("Na<sup>+</sup> and HCO<sub>3</sub><sup>−</sup>", "Na⁺ and HCO₃⁻"),
    ("log<sub>10</sub> x", "log₁₀ x"),
    ("a<sub>n+1</sub>", "a_(n+1)"),
    ("C<sub>max</sub>", "Cmax"),
]
NOTE_MARKS = [
    ("It ends.<sup>3</sup> It goes on.<sup>4,5</sup> It ends.", "It ends.[3] It goes on.[4,5] It ends."),
    ("Built in 1907.<sup>12</sup> He said “go.”<sup>3</sup> So (p. 4).<sup>5</sup>",
     "Built in 1907.[12] He said “go.”[3] So (p. 4).[5]"),
    ("Dr. Smith<sup>1</sup> agreed.<sup>2, 3</sup> He left.", "Dr. Smith[1] agreed.[2, 3] He left."),
    ("A word<sup>4</sup>, described in<sup>1</sup> it,<sup>2</sup> so", "A word[4], described in1 it,[2] so"),
    ("Others<sup>5,6</sup> and more<sup>3-5</sup>", "Others[5,6] and more[3-5]"),
    ("They don’t<sup>2</sup>. UNESCO<sup>1</sup> 5 parameters<sup>2</sup>", "They don’t[2]. UNESCO[1] 5 parameters[2]"),
    ("Es endet.<sup>1)</sup> Он ушёл<sup>2</sup>. 他走了。<sup>1</sup>他来了<sup>2</sup>。",
     "Es endet.[1] Он ушёл[2]. 他走了。[1]他来了[2]。"),
    ("A price.<sup>*</sup> It was.<sup>†</sup> It ends.<sup>[3]</sup>", "A price.[*] It was.[†] It ends.[3]"),
    ("It is 25 m<sup>2</sup>.<sup>3</sup> It is 10<sup>6</sup>,<sup>4</sup> or so", "It is 25 m².[3] It is 10⁶,[4] or so"),
]  # fmt: skip
LEFT_AS_THEY_ARE = [
    ("See [KMN<sup>+</sup>02] and Plus<sup>+</sup>", "See [KMN+02] and Plus+"),
    ("(see below)<sup>2</sup>", "(see below)2"),
    ("E = mc<sup>2</sup>, CO<sup>2</sup>, SiO<sup>2</sup>, mgh<sup>2</sup>, xy<sup>2</sup>", "E = mc2, CO2, SiO2, mgh2, xy2"),
    ("mass/height<sup>2</sup>, height<sup>2</sup> = 4, 25 metres<sup>2</sup>", "mass/height2, height2 = 4, 25 metres2"),
    ("Its radius<sup>2</sup> times pi, the speed<sup>2</sup> of light", "Its radius2 times pi, the speed2 of light"),
    ("Area in kilometres<sup>2</sup>, metres per second<sup>2</sup>, 25 in<sup>2</sup>", "Area in kilometres2, metres per second2, 25 in2"),
    ("$12.<sup>99</sup>, 12,<sup>99</sup> €, 8:<sup>30</sup>", "$12.99, 12,99 €, 8:30"),
    ("A chi<sup>2</sup> test, eta<sup>2</sup>, det<sup>2</sup>", "A chi2 test, eta2, det2"),
    ("A word<sup>*</sup> and a word<sup>n</sup>", "A word* and a wordn"),
    ("The 1<sup>st</sup>, le 2<sup>e</sup>, N<sup>o</sup> 5, M<sup>me</sup> B, Brand<sup>TM</sup>",
     "The 1st, le 2e, No 5, Mme B, BrandTM"),
    ("<sup>1</sup>Department", "1Department"),
]  # fmt: skip


@pytest.mark.parametrize(("markup", "text"), CASES + NOTE_MARKS + LEFT_AS_THEY_ARE)
def test_superscripts_of_html_are_characters(markup, text):
    assert [block.text for block in read_html_blocks(f"<p>{markup}</p>")] == [text]


@pytest.mark.parametrize(("markup", "text"), CASES + NOTE_MARKS + LEFT_AS_THEY_ARE)
def test_superscripts_of_word_files_are_characters(tmp_path, markup, text):
    assert docx.read(word_file(tmp_path, paragraph(_convert_to_runs(markup)))).text == text


def _convert_to_runs(markup: str) -> str:
    runs = ""
    for piece in re.split("(<su[pb]>.*?</su[pb]>)", markup):
        script = {"<sup>": "superscript", "<sub>": "subscript"}.get(piece[:5])
        properties = f'<w:vertAlign w:val="{script}"/>' if script else ""
        runs += run((piece[5:-6] if script else piece).replace("<", "&lt;"), properties)
    return runs


def test_exponent_in_several_runs_is_one(tmp_path):
    raised = '<w:vertAlign w:val="superscript"/>'
    body = paragraph(run("10") + run("−", raised) + run("12", f"<w:b/>{raised}") + run(" m"))
    assert docx.read(word_file(tmp_path, body)).text == "10⁻¹² m"


def test_superscript_of_a_character_style_counts(tmp_path):
    styles = '<w:style w:type="character" w:styleId="Power"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    body = paragraph(run("10") + run("6", '<w:rStyle w:val="Power"/>') + run(" m"))
    assert docx.read(word_file(tmp_path, body, styles=styles)).text == "10⁶ m"


@pytest.mark.parametrize(
    "link",
    [
        "<sup><a href='#n3'>3</a></sup>",
        "<a href='#n3'><sup>3</sup></a>",
        "<a href='#n3' epub:type='noteref'>3</a>",
        "<a href='#n3' role='doc-noteref'><sup>3</sup></a>",
    ],
)
def test_link_to_a_note_is_its_mark_after_anything(link):
    blocks = read_html_blocks(f"<p>It was 5 in 2019{link} and it{link} (see below){link} ends.{link}{link}</p>")
    assert [block.text for block in blocks] == ["It was 5 in 2019[3] and it[3] (see below)[3] ends.[3][3]"]


def test_superscripts_count_in_styles_tables_headings_deleted_text_and_markdown(tmp_path):
    page = "<h1>10<sup>6</sup></h1><table><tr><td>m<sup>2</sup><td>a<tr><td>1<td>2<tr><td>3<td>4</table><s>2<sup>5</sup></s>"
    assert [block.text for block in read_html_blocks(page)] == ["10⁶", "m²\ta\n1\t2\n3\t4", "2⁵"]
    styled = "<p>10<span style='font-size: 8pt; vertical-align: super'>6</span> m</p>"
    assert [block.text for block in read_html_blocks(styled)] == ["10⁶ m"]
    path = tmp_path / "file.md"
    path.write_text("About 10<sup>6</sup> *m*<sup>2</sup>.")
    assert markdown.read(path).text == "About 10⁶ m²."


def test_superscript_that_is_not_closed_loses_no_text():
    blocks = read_html_blocks("<p>10<sup>6 <p>and 4<sub>" + "<sup>" * 30 + "5")
    assert [block.text for block in blocks] == ["10⁶", "and 45"]
