"""Detection of the language of a text, and of its Chinese script."""

import pytest

from highlighter.text.language import (
    detect_chinese_script,
    detect_language,
    get_base_language,
    get_direction,
)


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
        ("東京の人口は?", ""),
        ("契約期間は？", ""),
        ("這條路線稱為「さくら」，每日由新大阪開往鹿兒島。", "zh-Hant"),
    ],
)
def test_chinese_script_is_detected(text, script):
    assert detect_chinese_script(text) == script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The tenant pays the rent on the first day of the month.", "en"),
        ("Wie lange dauert die Überfahrt?", "de"),
        ("Où se trouve la pharmacie de garde ?", "fr"),
        ("¿Cuánto cuesta el billete?", "es"),
        ("Il contratto non può essere ceduto.", "it"),
        ("O contrato não pode ser cedido.", "pt"),
        ("De huurder betaalt de huur voor het einde van de maand.", "nl"),
        ("Hyresgästen ska betala hyran och får inte hyra ut.", "sv"),
        ("Арендатор не может передать договор.", "ru"),
        ("Орендар не може передати договір і майно.", "uk"),
        ("المستأجر يدفع الإيجار في أول الشهر.", "ar"),
        ("مستأجر باید اجاره را در اول ماه بپردازد.", "fa"),
        ("השוכר משלם את שכר הדירה.", "he"),
        ("किराया महीने के पहले दिन देना है।", "hi"),
        ("賃借人は毎月一日に家賃を支払う。", "ja"),
        ("임차인은 매월 월세를 낸다.", "ko"),
        ("ผู้เช่าต้องชำระค่าเช่า", "th"),
        ("ὁ βίος βραχύς", "el"),
        ("承租人应当按时支付租金。", "zh-Hans"),
        ("承租人應當按時支付租金。", "zh-Hant"),
        ("本合同（NEC4 ECC）的工期为 90 天。", "zh-Hans"),
        ("The word 海 means sea and is short.", "en"),
        ("Kaution", ""),  # one word is of several languages, or a name
        ("Acme GmbH & Co. KG 2025.pdf", ""),
        ("the landlord's", ""),
        ("12:30, 3-4", ""),
        ("", ""),
    ],
)
def test_language_is_detected_by_script_and_function_words(text, language):
    assert detect_language(text) == language


def test_languages_have_a_base_and_a_direction():
    assert get_base_language("zh-Hant") == get_base_language("zh-Hans") == "zh"
    assert [get_direction(code) for code in ("ar", "he", "fa", "ur", "en", "ja", "")] == ["rtl"] * 4 + ["ltr"] * 3
