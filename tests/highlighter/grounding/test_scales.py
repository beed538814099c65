"""Words of one scale: another one than the source has is a contrast, the same in other words is none."""

import pytest

from highlighter.grounding.contrasts import SCALE, find_contrasts
from highlighter.grounding.scales import unify_periods
from highlighter.grounding.wording import parse_wording


def list_kinds(claim, source):
    return [contrast.kind for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Take one tablet a week.", "Take one tablet a day."),
        ("Die Kontrolle erfolgt wöchentlich.", "Die Kontrolle erfolgt jeden Tag."),
        ("Le contrôle a lieu chaque semaine.", "Le contrôle a lieu chaque jour."),
        ("Por cada semana se pagan 100 euros.", "Por cada día se pagan 100 euros."),
        ("供应商每月提交报告。", "供应商每周提交报告。"),
        ("薬は毎週服用する。", "薬は毎日服用する。"),
        ("يقدم التقرير كل أسبوع.", "يقدم التقرير كل شهر."),
        ("Hautausschläge treten häufig auf.", "Selten treten Hautausschläge auf."),
        ("The mean age was 63 years.", "The median age was 63 years."),
        ("Der Mieter muss renovieren.", "Der Mieter darf renovieren."),
        ("El inquilino debe pintar.", "El inquilino puede pintar."),
        ("供应商必须提交报告。", "供应商可以提交报告。"),
    ],
)
def test_other_word_of_a_scale_is_a_contrast(claim, source):
    assert SCALE in list_kinds(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Take one tablet a day.", "Take one tablet daily."),
        ("Die Kontrolle erfolgt täglich.", "Die Kontrolle erfolgt jeden Tag."),
        ("The fee is 1,200 euros a year.", "The fee is 100 euros a month."),  # other numbers
        ("Rent is due each month.", "Rent is due each month, and is reviewed each year."),
        ("The rash does not occur often.", "The rash rarely occurs."),
        ("C’est peu fréquent.", "C’est rare."),
        ("The average age was 63 years.", "The median age was 63 years."),  # a median is an average, too
        ("The tenant may paint.", "The tenant must paint."),
        ("The tenant must not paint.", "The tenant may not paint."),
    ],
)
def test_same_word_of_a_scale_or_what_cannot_be_compared_is_no_contrast(claim, source):
    assert SCALE not in list_kinds(claim, source)


@pytest.mark.parametrize(
    ("claim", "sentence", "unified"),
    [
        ("It is paid monthly.", "It is paid each month.", "It is paid monthly."),
        ("Sie zahlt jeden Monat.", "Sie zahlt monatlich.", "Sie zahlt jeden Monat."),
        ("It is paid monthly.", "It is paid each year.", "It is paid each year."),
        ("每日支付四千英鎊。", "£4,000 are paid for each day.", "£4,000 are paid for each day."),
        ("An annual fee is due.", "A fee is due each year.", "A fee is due each year."),
    ],
)
def test_same_period_is_written_in_the_same_words(claim, sentence, unified):
    assert unify_periods(claim, [sentence]) == [unified]
