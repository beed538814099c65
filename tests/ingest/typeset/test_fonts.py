"""Every character is drawn by a font that has it, never as an empty box."""

from __future__ import annotations

from pathlib import Path

import pytest
import reportlab

from ingest.typeset.fonts import BOLD, TEXT, Fonts, system_fonts

VERA = Path(reportlab.__file__).parent / "fonts"


@pytest.fixture(scope="module")
def fonts_without_files() -> Fonts:
    """Return the fonts of a machine without font files."""
    return Fonts(())


@pytest.mark.parametrize("char", "aZ5£é€“中灣嘅あ한")
def test_latin_and_asian_text_needs_no_font_file(fonts_without_files, char):
    assert fonts_without_files.find_face(char).covers(char)


def test_a_character_of_no_font_has_no_face(fonts_without_files):
    assert fonts_without_files.find_face("\u0e01") is None
    assert fonts_without_files.find_face("\U00020000") is None


def test_font_files_are_chosen_by_what_they_cover():
    fonts = Fonts((VERA,))
    assert fonts.find_face("č").name.endswith("Vera.ttf")
    assert fonts.find_face("ก") is None


def test_upright_fonts_come_before_slanted_and_bold_ones():
    assert "Vera.ttf" in Fonts((VERA,)).find_face("č").name


def test_broken_font_file_is_skipped(tmp_path):
    (tmp_path / "LiberationSerif-Regular.ttf").write_bytes(b"not a font")
    assert Fonts((tmp_path,)).find_face("a").name == "Times-Roman"


def test_font_that_only_draws_boxes_is_skipped(tmp_path):
    (tmp_path / "LastResort.ttf").write_bytes((VERA / "Vera.ttf").read_bytes())
    assert Fonts((tmp_path,)).find_face("č") is None


def test_headings_have_a_face_of_their_own():
    assert system_fonts().find_face("a", BOLD).name != system_fonts().find_face("a", TEXT).name


def test_the_width_of_a_text_is_that_of_its_letters(fonts_without_files):
    face = fonts_without_files.find_face("a")
    assert face.width("ab", 10) == pytest.approx(face.width("a", 10) + face.width("b", 10))
