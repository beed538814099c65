"""Values that a sentence has of something else than the claim names."""

import pytest

from highlighter.grounding.clause_values import find_value_of_other_clause, join_entries
from highlighter.grounding.wording import parse_wording

FLOORS = "Das Erdgeschoss ist bis 20 Uhr geöffnet, das Obergeschoss bis 18 Uhr und das Archiv bis 16 Uhr."
CAR_PARKS = "The north car park has 120 spaces, the south car park 85."
GRILL = "Limpe a grelha todos os dias e o grupo de extração uma vez por semana."
ENROLMENT = "De inschrijving opent op 17 november en sluit op 26 november."
ACCOUNTS = "Conserviamo i dati degli ordini per dieci anni e gli account inattivi per due anni."
ROOMS = "1인실의 월 이용료는 45만 원, 2인실은 78만 원이다."
POOL = "הבריכה פתוחה בימים ראשון עד חמישי משעה 6:00 עד 22:00, וביום שישי עד 17:00."
SEASON_TICKETS = "דמי המנוי השנתי הם 1,850 שקלים למבוגר ו-1,200 שקלים לילד עד גיל 16."
SHIP = "The ship arrived on 29 June and tendered notice the following day."
APPEALS = "Appeals go to the registrar, complaints to the ombudsman."
LAMPS = "La luz verde indica que funciona; la roja, que hay una avería."
FORMS = "Форма обучения ребёнка должна быть очной; для собственного обучения она значения не имеет."
WARRANTY = "质保期为验收合格之日起二十四个月，易损件的质保期为六个月。"
PRICES = "Prix : 45 %; Valeur technique : 35 %; Délai : 20 %"
DEADLINES = "The deadline is 30 June 2025 for paper forms and 31 July 2025 for online forms."
LEAVE = "Full-time staff get 28 days of leave, part-time staff 15 days and apprentices 30 days."


@pytest.mark.parametrize(
    ("claim", "source", "claimed", "stated"),
    [
        ("Das Obergeschoss ist bis 20 Uhr geöffnet.", FLOORS, "20 Uhr", "18 Uhr"),
        ("Das Archiv ist bis 18 Uhr geöffnet.", FLOORS, "18 Uhr", "16 Uhr"),
        ("The south car park has 120 spaces.", CAR_PARKS, "120 spaces", "85"),
        ("O grupo de extração deve ser limpo todos os dias.", GRILL, "todos os dias", "uma vez por semana"),
        ("De inschrijving voor de ouderavond sluit op 17 november.", ENROLMENT, "17 november", "26 november"),
        ("Gli account inattivi sono conservati per dieci anni.", ACCOUNTS, "dieci anni", "due anni"),
        ("2인실의 월 이용료는 45만 원이다.", ROOMS, "45", "78"),
        ("ביום שישי הבריכה פתוחה עד 22:00.", POOL, "22:00", "17:00"),
        ("מנוי שנתי לילד עולה 1,850 שקלים.", SEASON_TICKETS, "1,850", "1,200"),
        ("Notice was tendered on 29 June.", SHIP, "29 June", "the following day"),
        ("Complaints go to the registrar.", APPEALS, "“go to the registrar”", "“ombudsman”"),
        ("La luz roja indica que funciona.", LAMPS, "“indica que funciona”", "“avería”"),
        ("Для собственного обучения форма должна быть очной.", FORMS, "“должна быть очной”", "“значения не имеет”"),
        ("易损件的质保期为二十四个月。", WARRANTY, "二十四个月", "六个月"),
        ("Le prix compte pour 35 % de la note.", PRICES, "35 %", "45 %"),
        ("Apprentices get 28 days of leave.", LEAVE, "28 days", "30 days"),
        ("The deadline for paper forms is 31 July 2025.", DEADLINES, "31 July 2025", "30 June 2025"),
    ],
)
def test_value_of_what_the_claim_does_not_name_is_exchanged(claim, source, claimed, stated):
    assert find_value_of_other_clause(parse_wording(claim), parse_wording(source))[1:] == (claimed, stated)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Das Erdgeschoss ist bis 20 Uhr geöffnet.", FLOORS),
        ("Das Obergeschoss ist bis 18 Uhr geöffnet.", FLOORS),
        ("Das Archiv schließt um 16 Uhr.", FLOORS),
        ("Das Erdgeschoss ist bis 20 Uhr geöffnet, das Obergeschoss nur bis 18 Uhr.", FLOORS),
        ("The south car park has 85 spaces.", CAR_PARKS),
        ("With 120 spaces, the north car park is larger than the south one.", CAR_PARKS),
        ("The south car park does not have 120 spaces.", CAR_PARKS),
        ("O grupo de extração deve ser limpo uma vez por semana.", GRILL),
        ("A grelha deve ser limpa todos os dias.", GRILL),
        ("De inschrijving opent op 17 november.", ENROLMENT),
        ("De inschrijving sluit op 26 november.", ENROLMENT),
        ("De inschrijving eindigt op 26 november.", ENROLMENT),
        ("Oben ist bis 18 Uhr geöffnet.", FLOORS),
        ("Gli account inattivi sono conservati per due anni.", ACCOUNTS),
        ("2인실의 월 이용료는 78만 원이다.", ROOMS),
        ("ביום שישי הבריכה פתוחה עד 17:00.", POOL),
        ("מנוי שנתי לילד עולה 1,200 שקלים.", SEASON_TICKETS),
        ("The ship arrived on 29 June.", SHIP),
        ("Complaints go to the ombudsman.", APPEALS),
        ("Complaints do not go to the registrar.", APPEALS),
        ("La luz roja indica una avería.", LAMPS),
        ("La luz verde indica que funciona.", LAMPS),
        ("Форма обучения ребёнка должна быть очной.", FORMS),
        ("易损件的质保期为六个月。", WARRANTY),
        ("Le prix compte pour 45 % de la note.", PRICES),
        ("Full-time staff get 28 days of leave.", LEAVE),
        ("Apprentices get 30 days of leave.", LEAVE),
        ("The deadline for paper forms is 30 June 2025.", DEADLINES),
        ("The deadline for online forms is 31 July 2025.", DEADLINES),
        ("Forms that are sent online are due on 31 July 2025.", DEADLINES),
        (
            "After probation an employee can leave with one month's notice to the end of a month.",
            "The employee's notice is one month to the end of a month, and the company's is two months, or three months"
            " after ten years of service.",
        ),
        ("Part-time staff are entitled to 15 days of leave.", LEAVE),
        ("Der Vorstand tagt im Sommer bis 18 Uhr.", "Der Beirat tagt bis 20 Uhr, der Vorstand im Sommer bis 18 Uhr."),
    ],
)
def test_value_of_what_the_claim_names_is_its_own(claim, source):
    assert find_value_of_other_clause(parse_wording(claim), parse_wording(source)) is None


def test_entries_of_a_list_are_read_as_clauses_of_one_sentence():
    sentences = [
        parse_wording(text) for text in ("Critères", "Prix : 45 %.", "Valeur technique : 35 %.", "Délai : 20 %")
    ]
    assert [join_entries(sentences, position) for position in range(4)] == ["", PRICES, PRICES, PRICES]


def test_text_with_more_clauses_than_a_sentence_is_not_looked_at():
    source = parse_wording("the house has 3 rooms, " * 8 + CAR_PARKS)
    assert find_value_of_other_clause(parse_wording("The south car park has 120 spaces."), source) is None
