"""Detection of the Chinese script of a text."""

import pytest

from highlighter.text.language import detect_chinese_script


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("员工食堂管理办法", "zh-Hans"),
        ("避風塘改善工程何時完成？", "zh-Hant"),
        ("工程完成日期", "zh-Hant"),
        ("厨师的工资是多少？", "zh-Hans"),
        ("廚師的薪水是多少？", "zh-Hant"),
        ("The tide turns at noon (午).", ""),
        ("", ""),
    ],
)
def test_chinese_script_is_detected(text, script):
    assert detect_chinese_script(text) == script
