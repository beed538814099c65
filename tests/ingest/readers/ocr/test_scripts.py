"""The script of a page decides which languages are tried; a script without its data is named with its package."""

from __future__ import annotations

import pytest

from ingest.readers.ocr.scripts import ScriptNotInstalled, find_language, list_candidates, list_vertical_candidates

INSTALLED = ("chi_sim", "chi_tra", "chi_tra_vert", "deu", "eng", "fra")


@pytest.mark.parametrize(
    ("script", "preferred", "candidates"),
    [
        ("Latin", "", ["eng"]),
        ("Latin", "deu", ["deu"]),
        ("Han", "", ["chi_tra+eng", "chi_sim+eng"]),
        ("Han", "chi_sim+eng", ["chi_sim+eng"]),
        ("Han", "deu", ["chi_tra+eng", "chi_sim+eng"]),
        ("", "", ["eng", "chi_tra+eng", "chi_sim+eng"]),
        ("", "deu", ["deu"]),
        ("Han", "chi_tra_vert", ["chi_tra"]),
        ("Fraktur", "", ["eng"]),
    ],
)
def test_script_decides_what_is_tried(script, preferred, candidates):
    assert list_candidates(script, INSTALLED, preferred) == candidates


@pytest.mark.parametrize(
    ("script", "package"),
    [
        ("Cyrillic", "tesseract-ocr-rus"),
        ("Japanese", "tesseract-ocr-jpn"),
        ("Arabic", "tesseract-ocr-ara"),
        ("Khmer", "tesseract-ocr-khm"),
        ("Telugu", "tesseract-ocr-tel"),
        ("Gurmukhi", "tesseract-ocr-pan"),
        ("Canadian_Aboriginal", "tesseract-ocr-iku"),
    ],
)
def test_script_without_data_is_named_with_its_package(script, package):
    with pytest.raises(ScriptNotInstalled) as caught:
        list_candidates(script, INSTALLED)
    assert (caught.value.script, caught.value.package) == (script, package)


@pytest.mark.parametrize(
    ("text", "read_with", "language"),
    [
        ("Die Mauer ist gepruft und der Hafen von den Schiffen frei", "eng", "deu"),
        ("Le port est ouvert et les bateaux sont dans le bassin", "eng", "fra"),
        ("The wall is sound and the harbour is open to all of them", "eng", ""),
        ("El muelle y los barcos de la bahía que se ven", "eng", ""),  # its data is not installed
        ("Repairs 18,400", "eng", ""),
        ("維修工程 the of and", "chi_tra+eng", ""),
    ],
)
def test_language_in_latin_letters_is_found_by_frequent_words(text, read_with, language):
    assert find_language(text, read_with, INSTALLED) == language


def test_columns_are_read_by_the_data_of_the_languages_tried_for_lines():
    assert list_vertical_candidates(["chi_tra+eng", "chi_sim+eng"], INSTALLED) == ["chi_tra_vert"]
    assert list_vertical_candidates(["eng"], INSTALLED) == []


@pytest.mark.parametrize("installed", [("jpn_vert", "script/Khmer", "spa"), ("chi_sim_vert", "spa")])
def test_data_of_columns_and_of_whole_scripts_are_no_language_in_latin_letters(installed):
    assert list_candidates("Latin", installed) == ["spa"]
