"""Comparing names: which differences are ignored, and which distinguish two documents."""

import pytest

from highlighter.references.name_comparison import is_misspelling, is_partial_name, make_name_key, split_file_name


@pytest.mark.parametrize("written", ["NEC4 ACC", "nec4_acc", "NEC 4-ACC", "ＮＥＣ４　ＡＣＣ", "Nec4 Acc", "nec4.acc"])
def test_punctuation_case_width_and_spaces_do_not_distinguish_names(written):
    assert make_name_key(written) == make_name_key("NEC4 ACC")


@pytest.mark.parametrize(("a", "b"), [("1 2", "12"), ("Part 1.2", "Part 12"), ("2023 4", "20234"), ("a", "b")])
def test_separated_numbers_stay_separated(a, b):
    assert make_name_key(a) != make_name_key(b)


def test_scripts_and_leading_zeros_do_not_distinguish_names():
    assert make_name_key("員工手冊") == make_name_key("员工手册")
    assert make_name_key("ADR 0007") == make_name_key("ADR-7")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a/b/NEC4 ACC.PDF", ("a/b", "NEC4 ACC", "pdf")),
        ("C:\\x\\Report v1.2", ("C:/x", "Report v1.2", "")),
        ("Annual%20Report.docx", ("", "Annual Report", "docx")),
        ("old.doc", ("", "old", "docx")),
        (".txt", ("", ".txt", "")),
    ],
)
def test_file_name_is_split_into_folder_stem_and_extension(name, parts):
    assert split_file_name(name) == parts


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Harbor Works Contract", "Harbour Works Contract"),
        ("Employe Handbook", "Employee Handbook"),
        ("Breakwtaer Report", "Breakwater Report"),
        ("Quarterly Reports", "Quarterly Report"),
        ("Program of Works", "Programme of Works"),
        ("Centre Plan", "Center Plan"),
    ],
)
def test_typo_is_a_misspelling(written, name):
    assert is_misspelling(written, name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("External Audit Policy", "Internal Audit Policy"),
        ("Employer Handbook", "Employee Handbook"),
        ("Import Rules", "Export Rules"),
        ("NEC3 ACC", "NEC4 ACC"),
        ("NEC4 ECC", "NEC4 ACC"),
        ("Report 2023", "Report 2024"),
        ("Schedule A", "Schedule B"),
        ("Part I", "Part II"),
        ("Minor Works", "Manor Works"),
        ("Policy", "Police"),
        ("甲方合同", "乙方合同"),
        ("Unit 4 Lease", "Unit 14 Lease"),
    ],
)
def test_different_word_number_or_letter_is_another_document(written, name):
    assert not is_misspelling(written, name)
    assert not is_partial_name(written, name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Breakwater Condition Report", "Breakwater Condition Report 2024"),
        ("HR Policy", "HR Policy - Leave and Flexible Working"),
        ("Infection Control Manual", "Infection Control Manual v3.2"),
        ("the Tide Tables", "Tide Tables"),
        ("避風塘改善工程", "南灣區議會文件 避風塘改善工程"),
        ("建築物條例", "建築物條例（第123章）"),
    ],
)
def test_shortened_name_is_a_partial_name(written, name):
    assert is_partial_name(written, name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Contract", "Contract Amendment 2"),
        ("Contract", "Contract 2"),
        ("Lease", "Lease - Unit 4"),
        ("Schedule", "Schedule A"),
        ("Contract", "Harbour Works Contract"),
        ("手冊", "員工手冊"),
        ("Harbour Works Contract Guide", "Harbour Works Contract"),
        ("採購合同", "採購合同（補充協議）"),
        ("管理办法", "管理办法实施细则"),
        ("Report", "Annual Breakwater Condition and Maintenance Report"),
    ],
)
def test_ambiguous_part_is_no_partial_name(written, name):
    assert not is_partial_name(written, name)
