"""What is said of a number: the opposite is a contrast, the same in other words is none."""

import pytest

from highlighter.grounding.contrasts import BOUND, NEGATION, find_contrasts
from highlighter.grounding.number_bounds import has_admitted_number, unify_bounds
from highlighter.grounding.wording import NUMBER, parse_wording


def list_kinds(claim, source):
    return [contrast.kind for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The index makes up no more than 80 per cent of the fund.", "至少八成資產投資於成分股。"),
        ("全市人口增加了1.2万人。", "全市人口减少一点二万人。"),
        ("Crime fiction rose by 3%.", "Crime fiction fell by 3 per cent."),
        ("At least two people must sign.", "At most two people may sign."),
        ("Servono al massimo tre testimoni.", "Servono almeno tre testimoni."),
        ("São precisas no máximo três testemunhas.", "São precisas pelo menos três testemunhas."),
        ("Per gezin worden minstens twee kaarten uitgegeven.", "Per gezin worden hoogstens twee kaarten uitgegeven."),
        ("Проверка длится не менее трёх месяцев.", "Проверка длится не более трёх месяцев."),
        ("신청 금액은 50만 원 이상으로 한다.", "신청 금액은 50만 원 이하로 한다."),
        ("신청은 5월 9일 이후에 한다.", "신청은 5월 9일 이전에 한다."),
        ("Inleveren kan na 1 mei.", "Inleveren kan vóór 1 mei."),
        ("Afmelden moet na 9 uur.", "Afmelden moet vóór 9 uur."),
        ("Заявление подаётся после 1 марта.", "Заявление подаётся до 1 марта."),
        ("Le domande vanno presentate dopo il 9 maggio.", "Le domande vanno presentate prima del 9 maggio."),
        ("O pagamento é feito a partir de 30 de junho.", "O pagamento é feito até 30 de junho."),
        ("Les travaux commencent au plus tard le 6 juillet.", "Les travaux commencent au plus tôt le 6 juillet."),
        ("A shift lasts at least 8 h.", "A shift lasts at most 8 h."),
        ("Une équipe travaille au moins 8 h.", "Une équipe travaille au plus 8 h."),
        ("Een dienst duurt minstens 8 uur.", "Een dienst duurt hoogstens 8 uur."),
        ("押金不超过三个月租金。", "The deposit is at least three months' rent."),
        ("Claims are filed by 1 May.", "Claims cannot be filed before 1 May."),
        ("Die Frist beträgt mindestens zwei Wochen.", "Die Frist beträgt höchstens zwei Wochen."),
        ("Der Antrag ist spätestens am 1. März zu stellen.", "Der Antrag ist nicht vor dem 1. März zu stellen."),
        ("La durée est d’au moins 5 jours.", "La durée ne doit pas dépasser 5 jours."),
        ("Les travaux commencent au plus tard le 1er mars.", "Les travaux commencent au plus tôt le 1er mars."),
        ("El plazo es de 10 días como mínimo.", "El plazo no puede superar los 10 días."),
        ("El informe se presenta después del 1 de mayo.", "El informe se presenta antes del 1 de mayo."),
        ("注册资本500万元以下。", "注册资本500万元以上。"),
        ("成员至少三家。", "成员不得超过三家。"),
        ("期間は最大30日とする。", "期間は30日以上とする。"),
        ("المدة 30 يوما على الأكثر.", "المدة 30 يوما على الأقل."),
        ("Members hold at most two keys.", "Members hold two or more keys."),
        ("Conserver à une température d'au moins 25 °C.", "Conserver à une température ne dépassant pas 25 °C."),
        ("Una temperatura de al menos 25 °C.", "Una temperatura que no exceda de 25 °C."),
        ("The drug is taken for at least five days.", "The drug must not be taken for more than five days."),
        ("Policies that began before 1 May are covered.", "Policies that begin on or after 1 May are covered."),
    ],
)
def test_opposite_of_a_number_is_a_contrast(claim, source):
    assert BOUND in list_kinds(claim, source)
    assert BOUND in list_kinds(source, claim)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Dogs of up to 10 kg may come.", "Dogs of no more than 10 kg may come."),
        ("每组最多可有八人。", "每组不超过八人。"),
        ("The dose is at most 4 g.", "The dose must never exceed 4 g."),
        ("Il contratto dura al massimo quattro anni.", "Il contratto dura non più di quattro anni."),
        ("Os candidatos devem ter 18 anos ou mais.", "Os candidatos devem ter pelo menos 18 anos."),
        ("Per gezin worden maximaal twee kaarten uitgegeven.", "Per gezin worden hoogstens twee kaarten uitgegeven."),
        ("Срок составляет не более 20 дней.", "Срок не превышает 20 дней."),
        ("신청 금액은 최대 50만 원이다.", "신청 금액은 50만 원 이하로 한다."),
        ("Notice is given by 5 May 2025.", "Notice is given no later than 5 May."),
        (
            "The old rate of 4% applied until 1 May 2024.",
            "The new rate of 5% applies from 1 May 2024 instead of the old rate of 4%.",
        ),
        ("Claims are filed by 1 June.", "Claims are filed from 1 May to 1 June."),
        ("Costs fell 3%.", "Sales rose 3% and costs fell 3%."),  # the source says both
        ("Sales rose 3%.", "Sales rose 3% while costs fell 5%."),
        ("Die Strafe beträgt nicht mehr als 500 Euro.", "Die Strafe beträgt höchstens 500 Euro."),
        ("Les travaux ne commencent pas avant le 1er mars.", "Les travaux commencent au plus tôt le 1er mars."),
        ("La fianza no puede superar los 500 euros.", "La fianza es de 500 euros como máximo."),
        ("成员最多三家。", "成员不得超过三家。"),
        ("5月1日前签订的合同，6月1日后生效。", "5月1日前签订，6月1日后生效。"),
        ("Staff work at most 8 h a day.", "Staff work no more than 8 h a day."),
        ("Een dienst duurt hoogstens 8 uur.", "Een dienst duurt niet langer dan 8 uur."),
        ("Tickets bought before 1 May have the old fares.", "The new fares apply from 1 May."),
        ("He pays 5 euros, at least 3 of them in cash.", "He pays at most 5 euros."),
    ],
)
def test_same_bound_in_other_words_is_no_contrast(claim, source):
    assert not {BOUND, NEGATION} & set(list_kinds(claim, source))


@pytest.mark.parametrize(
    ("claim", "source", "unified"),
    [
        ("Notice is at least 6 months.", "Notice is not less than 6 months.", "Notice is at least 6 months."),
        ("The fee is at most £40.", "The fee must not exceed £40 a year.", "The fee must be at most £40 a year."),
        ("It is paid by 5 May.", "It is paid no later than 5 May.", "It is paid by 5 May."),
        ("It is filed from 1 May.", "It cannot be filed before 1 May.", "It can be filed from 1 May."),
        ("It is paid by 5 May.", "It is paid no later than 5 June.", "It is paid no later than 5 June."),
        ("The fee is at least 40.", "The fee is not more than 40.", "The fee is not more than 40."),
        ("The fee is at least 40.", "|---|---|", "|---|---|"),
        ("They have at least two keys.", "They have two or more keys.", "They have at least two keys."),
        ("At least 2 and at most 8.", "No fewer than 2 and no more than 8.", "at least 2 and at most 8."),
        ("Es sind wenigstens 6 Stunden.", "Es sind nicht weniger als 6 Stunden.", "Es sind mindestens 6 Stunden."),
        (
            "Sie beginnt frühestens am 1. März.",
            "Sie beginnt nicht vor dem 1. März.",
            "Sie beginnt frühestens am 1. März.",
        ),
        ("C’est au plus 5 jours.", "C’est 5 jours au maximum.", "C’est au plus 5 jours."),
        (
            "Elle ouvre au plus tôt le 1er mars.",
            "Elle n’ouvre pas avant le 1er mars.",
            "Elle ouvre au plus tôt le 1er mars.",
        ),
        ("Son al menos 5 días.", "Son 5 días como mínimo.", "Son al menos 5 días."),
        ("違約金最多10%。", "違約金不得超過10%。", "違約金最多10%。"),
        ("期間は少なくとも30日。", "期間は30日以上。", "期間は少なくとも30日。"),
        ("عدد الأعضاء 5 على الأقل.", "لا يقل عدد الأعضاء عن 5.", "عدد الأعضاء 5 على الأقل."),
    ],
)
def test_equal_bounds_are_written_in_the_same_words(claim, source, unified):
    assert unify_bounds(parse_wording(claim), [parse_wording(source)])[1] == [unified]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The former fares apply before 1 May.", "The new fares apply from 1 May."),
        (
            "Prepaying after 1 May costs no fee.",
            "A fee applies to prepaying before 1 May; no fee applies after that date.",
        ),
        ("Nach dem 1. Mai ist der Eintritt frei.", "Vor dem 1. Mai kostet der Eintritt 5 Euro, danach ist er frei."),
    ],
)
def test_bound_of_something_else_or_said_of_the_day_is_no_opposite(claim, source):
    assert BOUND not in list_kinds(claim, source)


def test_more_and_less_than_a_number_may_say_the_same():
    assert BOUND not in list_kinds("No dogs of more than 10 kg.", "Only dogs of less than 10 kg.")


@pytest.mark.parametrize(
    ("claim", "source", "is_admitted"),
    [
        ("Availability is 99.2 %.", "Availability is below 99.5 %.", True),
        ("Availability is 99.7 %.", "Availability is below 99.5 %.", False),
        ("The limit was raised to 90 mg.", "The limit was raised to at most 100 mg.", False),
        ("It costs EUR 40.", "It costs more than EUR 25.", True),
        ("It costs EUR 20.", "It costs more than EUR 25.", False),
        ("It has 17 points.", "It has fewer than 18 of 30 points.", True),
        ("It has 19 points.", "It has fewer than 18 of 30 points.", False),
        ("Un enfant de 10 ans entre.", "Un enfant de 8 à 15 ans entre.", True),
        ("Un enfant de 17 ans entre.", "Un enfant de 8 à 15 ans entre.", False),
        ("Tiene 70 años.", "Mayores de 65 años.", True),
        ("Payment is due in 14 days.", "Payment is due in 28 days.", False),
        ("The fee is more than 40 euros.", "The fee is at most 50 euros.", False),
        ("It rose from 3 to 3.3 per cent.", "It rose from 3 to 3.6 per cent.", False),
    ],
)
def test_number_that_a_bound_admits_is_no_other_number(claim, source, is_admitted):
    assert has_admitted_number(parse_wording(claim), parse_wording(source)) == is_admitted
    assert (NUMBER in list_kinds(claim, source)) != is_admitted
