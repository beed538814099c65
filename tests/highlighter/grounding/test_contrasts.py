"""Contrasts between a claim and a sentence of a source."""

import pytest

from highlighter.grounding.contrasts import find_contrasts
from highlighter.grounding.wording import parse_wording
from highlighter.locale.message_translation import translate_message


def explain_contrasts(claim, source):
    return [contrast.why for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("Payment is due within 14 days.", "Payment is due within 28 days of receipt of the invoice.",
         "The source says 28 days where the claim says 14 days."),
        ("A warning is given within five working days.", "A warning is given within two working days of the matter.",
         "The source says two working days where the claim says five working days."),
        ("It costs £5,000.", "The cost was £4,000 in all.", "The source says £4,000 where the claim says £5,000."),
        ("The price rose by 5%.", "In 2019 the price rose by 7 %.", "The source says 7 % where the claim says 5%."),
        ("She was born in March 1901.", "She was born in Leeds in May 1901.", "The source says May 1901 where the claim says March 1901."),
        ("The Contractor may work at night.", "The Contractor may not work at night unless told.",
         "The source says “not”, the claim does not."),
        ("The rent is paid with deductions.", "The rent is paid without deduction or set-off.",
         "The source says “not”, the claim does not."),
        ("The lease may be assigned with consent.", "The lease may be assigned without first obtaining the written consent of the owner.",
         "The source says “not”, the claim does not."),
        ("The Client may enter.", "The Client may not enter without notice.", "The source says “not”, the claim does not."),
        ("No fee is owed.", "A fee is owed.", "The claim says “not”, the source does not."),
        ("All members voted.", "Some members voted.", "The source says “Some” where the claim says “All”."),
        ("Sales increased in June.", "Sales decreased in June.", "The source says “decreased” where the claim says “increased”."),
        ("The works begin in Leeds on Monday.", "The works begin in York on Monday.",
         "The source says “York” where the claim says “Leeds”."),
        ("The lease ends on 1 May.", "The lease begins on 1 May.", "The source says “begins” where the claim says “ends”."),
        ("The pumps leave on 22 September.", "The pumps leave on 29 September, not on 22 September.",
         "The source says “not”, the claim does not."),
        ("Flood damage is insured.", "All damage is insured (other than flood damage).",
         "The source leaves this out: “other than flood damage”."),
        ("Dental care is covered.", "All care is covered with the exception of dental care.",
         "The source leaves this out: “with the exception of dental care”."),
        ("星期日开放。", "除星期日外，每日开放。", "The source leaves this out: “除星期日外”."),
        ("It was approved by the board.", "[x] reviewed by counsel\n[ ] approved by the board",
         "The source leaves this out: “[ ] approved by the board”."),
        ("Blindenhunde sind nicht gestattet.", "Tiere sind nicht gestattet, ausgenommen Blindenhunde.",
         "The source leaves this out: “ausgenommen Blindenhunde”."),
        ("紧急情况下不得使用。", "除紧急情况外，不得使用。", "The source leaves this out: “除紧急情况外”."),
        ("Liability to pay the Charges is limited.", "All liability, other than its obligation to pay the Charges, is limited.",
         "The source leaves this out: “other than its obligation to pay the Charges”."),
        ("Article VI applies.", "Article IV applies.", "The source says Article IV where the claim says Article VI."),
        ("Kapitel 3 gilt für Hunde.", "Kapitel IV gilt für Hunde.", "The source says IV gilt where the claim says 3 gilt."),
        ("مدة العقد ثلاث سنوات.", "مدة العقد سنتان.", "The source says سنتان where the claim says ثلاث."),
        ("Mr. Smith signed.", "Mrs. Smith signed.", "The source says “Mrs” where the claim says “Mr”."),
        ("The guide was approved by the board.", "☐ approved by the board", "The source leaves this out: “☐ approved by the board”."),
    ],
)  # fmt: skip
def test_contrast_is_explained(claim, source, why):
    assert why in explain_contrasts(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Payment is due within 14 days.", "Payment is due within fourteen days of the invoice."),
        ("It cost 1,000 pounds.", "It cost 1000 pounds."),
        ("He was born on 5 May 1901.", "He was born on 5th May, 1901, in York."),
        ("It opened in the 1960s.", "It opened in 1963."),
        ("It was published on 31 October 2017.", "Published 2017-10-31."),
        ("The fee is due.", "The fee is due, and nothing else is owed by anyone who does not sail."),
        ("休假十四天以上须批准。", "休假14天以上须批准。"),
        ("It cost 50,000 pounds.", "It cost fifty thousand pounds."),
        ("It cost €1.2 million.", "It cost €1,200,000 in all."),
        ("The fee is 5 %.", "The fee is five per cent."),
        ("合同于2024年3月5日生效。", "合同于二零二四年三月五日生效。"),
        ("The contract begins on 5 March 2024.", "合同于二零二四年三月五日生效。"),
        ("利率为5%。", "利率为百分之五。"),
        ("租金为一万元。", "租金为10,000元。"),
        (
            "The agreement is governed by the laws of Israel.",
            "It is governed by the laws of Israel, without giving effect to choice of law rules.",
        ),
        (
            "The lease may be assigned with consent.",
            "The lease may not be assigned without the prior written consent of the owner.",
        ),
        ("She left without delay.", "She left without hesitation."),
        ("A dividend of 38 cents per share for 2024.", "A dividend of 38 cents per share (2023: 35 cents)."),
        ("The pumps leave on 29 September.", "The pumps leave on 29 September, not on 22 September."),
        ("租金為每月九百元。", "租金為每月九百元，而非九百五十元。"),
        ("All damage except flood damage is insured.", "All damage is insured (other than flood damage)."),
        ("All damage is insured.", "All damage is insured, excluding wilful damage."),
        ("☒ Male", "Sex: ☐ Female ☒ Male"),
        ("Smoking is allowed in the garden.", "Smoking is prohibited except in the garden."),
        ("The frame is covered by the warranty.", "The warranty excludes all parts other than the frame."),
        ("本保險承保火災。", "本保險除火災外還承保水災。"),
        ("Article 4 applies.", "Article IV applies."),
        ("Part V applies.", "Part V applies and part I read."),
        ("مدة العقد ثلاث سنوات.", "مدة العقد 3 سنوات."),
        ("مدة العقد 24 شهرا.", "مدة العقد سنتان."),
        ("مدة العقد 36 شهرا.", "مدة العقد ثلاث سنوات."),
        ("مدته ثلاثة عشر يوما.", "مدته 13 يوما."),
        ("Members get a copy.", "The club will save for members a copy."),
        ("Rent is paid monthly.", "Rent is paid monthly without deduction."),
        ("Der Mieter zahlt die Miete monatlich.", "Der Mieter zahlt die Miete monatlich ohne Abzug."),
        ("The claim succeeds in part.", "The claim succeeds in part, since the Claimant is not entitled to interest."),
        ("Der Klage wird stattgegeben.", "Der Klage wird stattgegeben, da keine Zinsen anfallen."),
        (
            "Electric vehicles earn 15 points.",
            "Euro VI vehicles receive 10 points, electric vehicles 15 points, older vehicles none.",
        ),
        (
            "Elektroautos erhalten 15 Punkte.",
            "Euro-VI-Fahrzeuge erhalten 10 Punkte, Elektroautos 15 Punkte, ältere Fahrzeuge keine.",
        ),
        (
            "Les voitures électriques reçoivent 15 points.",
            "Les voitures électriques reçoivent 15 points, les voitures anciennes aucun.",
        ),
        ("The course lasts three months.", "The course lasts 90 days."),
        ("It leans by 6 cm.", "It leans by 60 mm."),
        ("The fourth sailing leaves at 19:00.", "Sailing 4 leaves at 19:00."),
        ("Sailing 4 leaves at 19:00.", "The fourth sailing leaves at 19:00."),
    ],
)
def test_different_spelling_is_no_contrast(claim, source):
    assert explain_contrasts(claim, source) == []


@pytest.mark.parametrize(
    ("language", "translated"),
    [("zh-Hans", "来源作“Mrs”，这项陈述作“Mr”。"), ("zh-Hant", "來源作“Mrs”，這項陳述作“Mr”。")],
)
def test_reason_has_its_words_in_quotation_marks_once_in_each_language(language, translated):
    (why,) = explain_contrasts("Mr. Smith signed.", "Mrs. Smith signed.")
    assert "".join(run.words for run in translate_message(why, language)) == translated


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The Claimant is entitled to interest.",
            "The claim succeeds, since the Claimant is not entitled to interest.",
        ),
        ("The fifth sailing leaves at 19:00.", "Sailing 4 leaves at 19:00."),
        (
            "Older vehicles earn 15 points.",
            "Euro VI vehicles receive 10 points, electric vehicles 15 points, older vehicles none.",
        ),
        (
            "Ältere Fahrzeuge erhalten 15 Punkte.",
            "Euro-VI-Fahrzeuge erhalten 10 Punkte, Elektroautos 15 Punkte, ältere Fahrzeuge keine.",
        ),
        ("The course lasts three months.", "The course lasts 30 days."),
        ("It leans by 6 cm.", "It leans by 600 mm."),
    ],
)
def test_reason_that_is_denied_and_another_ordinal_are_contrasts(claim, source):
    assert explain_contrasts(claim, source) != []


def test_different_number_of_days_in_chinese_is_a_contrast():
    assert explain_contrasts("工程师应在十四天内回复。", "工程师应在二十八天内回复。") != []
