import pytest

from highlighter.grounding.table_rows import (
    explain_denied_cell,
    explain_missing_power,
    explain_mixed_cells,
    find_table_rows,
)
from highlighter.grounding.table_units import find_unit
from highlighter.grounding.wording import parse_wording

MILLIONS = (
    "€ million\tNote\t2024\t2023\tChange\nRevenue\t3\t1,842\t1,690\t9.0%\nEarnings per share (cents)\t7\t62\t82\t-24%\n"
)
CHINESE_UNITS = "单位：人民币万元\n\n项目\t2024年\t2023年\n营业收入\t358,420\t312,760\n净利润\t28,640\t31,025\n"
FOOD = "Portions.\nFood\tCalories\tPortion\tProtein in grams\nApple\t95\tone fruit\t0.5\nBerries\t57\tone cup\t1.1\nCheddar\t113\t28 g\t7\n"
ROOMS = "Room\tArea\tBalcony\r\n12\t20\tyes\r\n14\t25\tno\r\n"
LEAVE = "Reason\tLength\tPay\nMarriage\t3 days\tFull\nStudy\t8 days a year\tHalf\n"
SHOPS = "分店\t營業額\t店長\n台北\t320\t陳怡君\n台中\t210\t林志明\n"
TRAVEL = "Region\tDaily allowance (EUR)\tBreakfast deduction (EUR)\nGermany\t28\t5.60\nFrance\t42\t8.40\n"
REPORTS = "Year\tReports\tUpheld\tPending\n2021\t34\t9\t0\n2022\t41\t12\t1\n"
BUDGET = "Department\tBudget 2024\tActual 2024\tBudget 2025\nSchools\t7850\t7610\t8100\nParks\t960\t1015\t900\n"
NOTICE = "| Length of service | Notice by the clinic | Notice by the employee |\n|---|---|---|\n| more than 8 years | 16 weeks | 8 weeks |\n"
CHINESE_YEARS = "项目\t2024年\t2023年\n营业收入\t358,420\t312,760\n净利润\t28,640\t31,025\n"
CHARGES = (
    "Service\tClassic account (£)\tPlus account (£)\tStudent account (£)\nMonthly fee\t4.50\t9.00\tfree\n"
    "Replacement card\t8.00\t8.00\tfree\nPaper statement\t1.25\tfree\tnot available\n"
)
MACHINES = "Modelo\tPeso (kg)\tDepósito (l)\nAurora 300\t7,2\t1,8\nAurora 300 S\t8,4\t2,2\n"
DATES = "Step\tDate\nSite visit (optional)\t19 February 2025, 09:30\nAnswers\t5 March 2025\nQuestions\t24 February 2025, 12:00\n"
YEARS = "| Item | 2023 | 2024 |\n|---|---:|---:|\n| Revenue | 5.2 | 6.1 |\n| Costs | 4.0 | 4.4 |\n"


@pytest.mark.parametrize(
    ("text", "claim", "words"),
    [
        (FOOD, "Berries have 57 calories per portion.", ""),
        (FOOD, "Berries have 95 calories.", "Berries … 95"),
        (FOOD, "A cup of berries has 57 calories.", ""),
        (FOOD, "28 g of cheddar have 113 calories.", ""),
        (FOOD, "Cheddar has 7 grams of protein.", ""),
        (FOOD, "Cheddar has 7 calories.", "7"),
        (FOOD, "Berries have fewer calories (57) than an apple (95).", ""),  # two rows are named
        (FOOD, "Bananas are healthy.", ""),
        (ROOMS, "Room 12 has a balcony.", ""),
        (ROOMS, "Room 14 has an area of 20.", "14 … 20"),
        (YEARS, "Revenue was 6.1 in 2024.", ""),
        (YEARS, "Revenue was 5.2 in 2024.", "5.2"),
        (YEARS, "Revenue was 4.4 in 2024.", "Revenue … 4.4"),
        (DATES, "The site visit on 19 February 2025 is optional.", ""),
        (DATES, "The site visit is on 5 March 2025.", "site … visit … 5 … March … 2025"),
        (YEARS, "Revenue, 2024: 6.1, 2023: 5.2", ""),
        (YEARS, "Revenue, 2024: 5.2, 2023: 6.1", "5.2 … 6.1"),
        (YEARS, "Revenue was 6.1 in 2024, up from 5.2 in 2023.", ""),
        (YEARS, "Revenue was 5.2 in 2024, down from 6.1 in 2023.", "5.2 … 6.1"),
        (YEARS, "In 2024, revenue was 5.2, and in 2023 it was 6.1.", "5.2 … 6.1"),
        (YEARS, "From 2023 to 2024, revenue rose from 5.2 to 6.1.", ""),
        (TRAVEL, "In Germany, 28 is the daily allowance and 5.60 the breakfast deduction.", ""),
        (REPORTS, "Of the 34 reports of 2021, 9 were upheld.", ""),
        (TRAVEL, "The daily allowance in Germany is EUR 28.", ""),
        (TRAVEL, "The daily allowance in Germany is EUR 5.60.", "5.60"),
        (TRAVEL, "The breakfast deduction in France is EUR 8.40.", ""),
        (TRAVEL, "The breakfast deduction in France is EUR 42.", "42"),
        (TRAVEL, "In Germany, breakfast takes EUR 5.60 from the daily allowance.", ""),
        (REPORTS, "34 reports were received in 2021.", ""),
        (REPORTS, "34 reports were upheld in 2021.", "34"),
        (REPORTS, "9 reports were upheld in 2021.", ""),
        (REPORTS, "Of the 34 reports in 2021, few were upheld.", ""),
        (REPORTS, "Of 41 reports upheld were 12 in 2022.", ""),
        (BUDGET, "The 2024 budget for schools was 7850.", ""),
        (BUDGET, "The 2024 budget for schools was 8100.", "8100"),
        (BUDGET, "The actual sum for schools in 2024 was 7850.", "7850"),
        (NOTICE, "After more than 8 years, the employee gives 8 weeks' notice.", ""),
        (NOTICE, "After more than 8 years, the employee gives 16 weeks' notice.", "16"),
        (CHINESE_YEARS, "2023年营业收入为312,760。", ""),
        (CHINESE_YEARS, "2023年营业收入为358,420。", "358,420"),
        (LEAVE, "Marriage gives 3 days with full pay.", ""),  # the header that is named has its own cell
        (LEAVE, "Marriage gives 3 days without pay.", "3"),
        (CHARGES, "A replacement card is free for Classic customers.", "free"),
        (CHARGES, "A replacement card is free for Student customers.", ""),
        (CHARGES, "Paper statements are free with the Plus account.", ""),
        (CHARGES, "Paper statements are free with the Classic account.", "free"),
        (CHARGES, "A replacement card is free with some accounts.", ""),
        (CHARGES, "The monthly fee is free on the Student account and £4.50 on the Classic account.", ""),
        (MACHINES, "A Aurora 300 S pesa 7,2 kg.", "Aurora … 300 … S … 7,2"),
        (MACHINES, "A Aurora 300 S pesa 8,4 kg.", ""),
        (MACHINES, "A Aurora 300 pesa 7,2 kg.", ""),
        (MACHINES, "A Aurora 300 pesa 7,2 kg, a Aurora 300 S 8,4 kg.", ""),
        (SHOPS, "台北的店長是陳怡君。", ""),
        (SHOPS, "台北的店長是林志明。", "台北 … 林志明"),
    ],
)
def test_words_of_a_claim_stand_together_in_a_row(text, claim, words):
    why = explain_mixed_cells(parse_wording(claim), [found.row for found in find_table_rows(text)], frozenset())
    assert why.partition("“")[2].partition("”")[0] == words


@pytest.mark.parametrize(
    ("text", "claim", "why"),
    [
        (ROOMS, "Room 14 has a balcony.", "The table says “no” under “Balcony”."),
        (ROOMS, "Room 14 has no balcony.", ""),
        (ROOMS, "Room 12 has a balcony.", ""),
        (ROOMS, "The room has a balcony.", ""),
        ("Room\tHeated\n12\t✗\n14\t✗\n", "12, Heated: ✗", ""),
    ],
)
def test_cell_denies_what_a_claim_says_of_its_row(text, claim, why):
    assert str(explain_denied_cell(parse_wording(claim), [found.row for found in find_table_rows(text)])) == why


def test_words_that_also_stand_elsewhere_may_come_from_there():
    rows = [found.row for found in find_table_rows(FOOD)]
    assert not explain_mixed_cells(parse_wording("Berries have 95 calories."), rows, frozenset({"#95"}))


@pytest.mark.parametrize(
    ("claim", "is_mixed"), [("Berries have 95 calories.", True), ("Berries have 57 calories.", False)]
)
def test_number_of_a_named_row_stands_in_it_though_it_is_named_elsewhere(claim, is_mixed):
    rows = [found.row for found in find_table_rows(FOOD)]
    why = explain_mixed_cells(parse_wording(claim), rows, parse_wording("Berries are healthy.").keys)
    assert ("“Berries … 95” do not stand" in why) == is_mixed


def test_rows_are_read_with_their_headers():
    spans = list(find_table_rows("Fees.\nPier\tDay\nNorth\t 7 \n\t8\n\nShips.\nPier\t9\nShip\t10\n"))
    assert [found.row.text for found in spans] == ["Pier: North, Day: 7", "Day: 8", "Pier, 9", "Ship, 10"]


FAULTS = "Fault\tCause\nNo start\tStop pressed\nNo pressure\tLeak\n"


@pytest.mark.parametrize(
    ("next_page", "rows", "table_count"),
    [
        ("\nToo hot\tLittle oil\nOil in air\tWorn separator\n", ["Fault: Too hot, Cause: Little oil", "Fault: Oil in air, Cause: Worn separator"], 1),
        ("\nFault\tCause\nToo hot\tLittle oil\n", ["Fault: Too hot, Cause: Little oil"], 1),
        ("\nToo hot\t5\nOil in air\t7\n", ["Fault: Too hot, Cause: 5", "Fault: Oil in air, Cause: 7"], 1),
        ("\nPart\tWeight\nBelt\t7 kg\n", ["Part: Belt, Weight: 7 kg"], 2),
        ("\nPart\tMaker\tColour\nBelt\tVortan\tred\n", ["Part: Belt, Maker: Vortan, Colour: red"], 2),
        ("\nParts.\nPart\tMaker\nBelt\tVortan\n", ["Part: Belt, Maker: Vortan"], 2),
    ],
)  # fmt: skip
def test_table_that_goes_on_on_the_next_page_keeps_its_header(next_page, rows, table_count):
    found = [span.row for span in find_table_rows(FAULTS + next_page)]
    assert [row.text for row in found[2:]] == rows
    assert len({row.table for row in found}) == table_count


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("€ million", (6, "€", "")),
        ("Segments (in EUR million unless stated otherwise)", (6, "EUR", "")),
        ("Segments (EUR million, unless otherwise stated)", (6, "EUR", "")),
        ("Segments (in EUR million unless stated otherwise), Harrow plc, report 2024", (6, "EUR", "")),
        ("Segments (in EUR million), Harrow plc", (6, "EUR", "")),
        ("Angaben in Mio. €, soweit nicht anders angegeben", (6, "€", "")),
        ("en millions d'euros, sauf indication contraire", (6, "", "euros")),
        ("Segmentos (en millones de euros, salvo indicación en contrario)", (6, "", "euros")),
        ("In milioni di euro, se non diversamente indicato", (6, "", "euro")),
        ("Em milhares de euros, salvo indicação em contrário", (3, "", "euros")),
        ("в млн руб.", (6, "", "руб.")),
        ("In miljoenen euro's, tenzij anders vermeld", (6, "", "euro's")),
        ("单位：万元，除另有说明外", (4, "", "元")),
        ("Sales (up by 5 million euros) in Europe", None),
        ("Unless otherwise stated", None),
        ("Budget 2024 (EUR thousand)", (3, "EUR", "")),
        ("TEUR", (3, "EUR", "")),
        ("in Mio. €", (6, "€", "")),
        ("£'000", (3, "£", "")),
        ("All figures are in millions of euros.", (6, "", "euros")),
        ("单位：人民币万元", (4, "人民币", "元")),
        ("金额（亿元）", (8, "", "元")),
        ("(in thousands)", (3, "", "")),
        ("Unit price (£)", None),
        ("Height in m", None),
        ("Miles", None),
        ("Term (months)", None),
        ("Team", None),
        ("元", None),
    ],
)
def test_unit_of_a_header_has_a_power_of_ten(text, unit):
    found = find_unit(text)
    assert (found and (found.power, found.before, found.after)) == unit


@pytest.mark.parametrize(
    ("text", "claim", "row"),
    [
        (MILLIONS, "Revenue in 2023 was €1,690 million.", "Revenue, Note: 3, 2024: 1,842, 2023: €1,690 million, Change: 9.0%"),
        (MILLIONS, "Revenue in 2023 was €1.69 billion.", "Revenue, Note: 3, 2024: 1,842, 2023: €1.69 billion, Change: 9.0%"),
        (MILLIONS, "Revenue in 2023 was €1,690 thousand.", "€ million: Revenue, Note: 3, 2024: 1,842, 2023: 1,690, Change: 9.0%"),
        (MILLIONS, "Revenue in 2023 was 1,690.", "€ million: Revenue, Note: 3, 2024: 1,842, 2023: 1,690, Change: 9.0%"),
        (MILLIONS, "Revenue, 2023: 1,690, Note: 3", "Revenue, 2023: 1,690, Note: 3"),
        (MILLIONS, "Revenue, 2023: 1,842", "€ million: Revenue, Note: 3, 2024: 1,842, 2023: 1,690, Change: 9.0%"),
        (CHINESE_UNITS, "2024年营业收入为358,420万元。", "项目: 营业收入, 2024年: 358,420万元, 2023年: 312,760"),
    ],
)  # fmt: skip
def test_row_is_read_with_the_unit_of_its_table(text, claim, row):
    assert next(find_table_rows(text)).row.write_for(parse_wording(claim)).replace("人民币", "") == row


def test_row_with_a_unit_of_its_own_is_in_no_other():
    assert not any([*find_table_rows(MILLIONS)][1].row.units)


@pytest.mark.parametrize(
    "name",
    [
        "Earnings per share",
        "Ticket price (€)",
        "Share price in EUR",
        "Ergebnis je Aktie",
        "每股收益（元）",
        "Ships (number)",
    ],
)
def test_row_in_a_currency_alone_or_of_a_single_thing_is_not_in_millions(name):
    first, second = find_table_rows(f"€ million\t2024\t2023\nSales, of which in Europe\t5\t6\n{name}\t1.98\t2.15\n")
    assert all(first.row.units[1:])
    assert not any(second.row.units)


@pytest.mark.parametrize(
    ("text", "claim", "why"),
    [
        (MILLIONS, "Revenue in 2023 was €1,690.", "The table gives “1,690” in “€ million”."),
        (MILLIONS, "Revenue in 2023 was €1,690 million.", ""),
        (MILLIONS, "In millions, revenue in 2023 was €1,690.", ""),
        (MILLIONS, "Revenue in 2023 was 1,690.", ""),
        (CHINESE_UNITS, "2024年营业收入为358,420元。", "The table gives “358,420” in “人民币万元”."),
        (CHINESE_UNITS, "2024年营业收入为358,420万元。", ""),
        (TRAVEL, "The daily allowance in Germany is EUR 28.", ""),
    ],
)
def test_sum_of_money_has_the_power_of_its_table(text, claim, why):
    rows = [found.row for found in find_table_rows(text)]
    assert str(explain_missing_power(parse_wording(claim), rows, frozenset())) == why
