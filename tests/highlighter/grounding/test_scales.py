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
        ("Der Preis beträgt 12 Euro im Jahr.", "Der Preis beträgt 12 Euro im Monat."),
        ("Value added tax is added to the prices.", "All prices include value added tax."),
        ("Zu den Preisen kommt die Umsatzsteuer hinzu.", "Alle Preise enthalten die Umsatzsteuer."),
        ("Les prix comprennent la TVA.", "Les prix sont hors TVA."),
        ("The Council approved the plan.", "The Council refused the plan."),
        ("Le comité a approuvé la politique.", "Le comité a rendu un avis défavorable."),
        (
            "El uniforme es obligatorio en primaria y en secundaria.",
            "El uniforme es obligatorio en primaria y voluntario en secundaria.",
        ),
        (
            "Attendance is compulsory for staff and for guests.",
            "Attendance is compulsory for staff and optional for guests.",
        ),
        ("Men or women must sign.", "The form must be signed by men and women."),
        ("The reply is due within 10 working days.", "The reply is due within 10 days."),
        ("La réponse est due dans les 45 jours ouvrés.", "La réponse est due dans les 45 jours."),
        ("供应商每月提交报告。", "供应商每周提交报告。"),
        ("薬は毎週服用する。", "薬は毎日服用する。"),
        ("يقدم التقرير كل أسبوع.", "يقدم التقرير كل شهر."),
        ("Hautausschläge treten häufig auf.", "Selten treten Hautausschläge auf."),
        ("The mean age was 63 years.", "The median age was 63 years."),
        ("Der Mieter muss renovieren.", "Der Mieter darf renovieren."),
        ("El inquilino debe pintar.", "El inquilino puede pintar."),
        ("供应商必须提交报告。", "供应商可以提交报告。"),
        ("Il canone è di 300 euro all'anno.", "Il canone è di 300 euro al mese."),
        ("A quota custa 40 euros por ano.", "A quota custa 40 euros por mês."),
        ("Het filter wordt elke dag gereinigd.", "Het filter wordt elke week gereinigd."),
        ("Абонемент стоит 900 рублей в год.", "Абонемент стоит 900 рублей в месяц."),
        ("지연이자는 월 12퍼센트이다.", "지연이자는 연 12퍼센트이다."),
        ("Il sindaco deve vietare l'accesso.", "Il sindaco può vietare l'accesso."),
        ("De burgemeester moet het park sluiten.", "De burgemeester kan het park sluiten."),
        ("Мэр обязан закрыть парк.", "Мэр может закрыть парк."),
        ("시장은 공원을 폐쇄해야 한다.", "시장은 공원을 폐쇄할 수 있다."),
        ("The inspector must check the valves.", "The inspector should check the valves."),
        ("Who complains gives up the right to appeal.", "A complaint does not affect the right to appeal."),
        ("The bank needs the customer's consent.", "The bank may assign the loan without the customer's consent."),
        ("La banca ha bisogno del consenso.", "La banca può cedere il credito senza il consenso."),
        ("Cover applies if the door or the alarm is on.", "Cover applies if the door and the alarm is on."),
        ("Lo firman el comprador o el vendedor.", "Lo deben firmar el comprador y el vendedor."),
        ("De huurder of de verhuurder tekent.", "De huurder en de verhuurder moeten tekenen."),
    ],
)
def test_other_word_of_a_scale_is_a_contrast(claim, source):
    assert SCALE in list_kinds(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Take one tablet a day.", "Take one tablet daily."),
        ("Die Kontrolle erfolgt täglich.", "Die Kontrolle erfolgt jeden Tag."),
        ("Der Preis beträgt im Jahr 2024 12 Euro.", "Der Preis beträgt 12 Euro im Monat."),
        ("VAT is included in the prices.", "All prices include VAT."),
        ("The Council approved the budget.", "The Council approved the budget and rejected the amendment."),
        ("The Council did not approve the plan.", "The Council refused the plan."),
        (
            "El uniforme es voluntario en secundaria.",
            "El uniforme es obligatorio en primaria y voluntario en secundaria.",
        ),
        ("Attendance is compulsory for staff.", "Attendance is compulsory for staff and optional for guests."),
        ("The reply is due within 10 working days.", "The reply is due within 10 business days."),
        ("The reply is due within 10 working days.", "The reply is due within 5 days, or 10 working days."),
        ("Il canone mensile è di 300 euro.", "Il canone è di 300 euro al mese."),
        ("매월 관리비는 5만 원이다.", "관리비는 월 5만 원이다."),
        ("The badge should be returned.", "The badge must be returned."),
        ("The right to appeal remains.", "A complaint does not affect the right to appeal."),
        ("The bank needs the customer's consent.", "The bank may not assign the loan without the customer's consent."),
        ("Repairs need approval.", "Repairs need approval; small repairs are done without approval."),
        ("Members and guests may swim.", "Members or guests may swim."),
        ("Cats or dogs are welcome.", "Cats and dogs are welcome."),
        ("The fee is 1,200 euros a year.", "The fee is 100 euros a month."),  # other numbers
        ("Rent is due each month.", "Rent is due each month, and is reviewed each year."),
        ("The rash does not occur often.", "The rash rarely occurs."),
        ("C’est peu fréquent.", "C’est rare."),
        ("The average age was 63 years.", "The median age was 63 years."),  # a median is an average, too
        ("The tenant may paint.", "The tenant must paint."),
        ("The tenant must not paint.", "The tenant may not paint."),
        ("O fornecedor apresenta a fatura e o recibo.", "O fornecedor deve apresentar fatura e recibo."),
        (
            "The tenant needs to inform the landlord.",
            "The tenant may sublet without the consent of the landlord but must inform the landlord in writing.",
        ),
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
