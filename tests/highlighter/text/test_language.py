import pytest

from highlighter.text.language import detect_chinese_script


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("员工食堂管理办法", "zh-Hans"),
        ("避風塘改善工程何時完成？", "zh-Hant"),
        ("工程完成日期", "zh-Hant"),
        ("The tide turns at noon (午).", ""),
        ("", ""),
    ],
)
def test_chinese_is_told_from_other_texts_and_its_two_scripts_from_each_other(text, found):
    assert detect_chinese_script(text) == found
