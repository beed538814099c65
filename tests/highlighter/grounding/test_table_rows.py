import pytest

from highlighter.grounding.table_rows import explain_denied_cell, explain_mixed_cells, find_table_rows
from highlighter.grounding.wording import parse_wording

FOOD = "Portions.\nFood\tCalories\tPortion\tProtein in grams\nApple\t95\tone fruit\t0.5\nBerries\t57\tone cup\t1.1\nCheddar\t113\t28 g\t7\n"
ROOMS = "Room\tArea\tBalcony\r\n12\t20\tyes\r\n14\t25\tno\r\n"
LEAVE = "Reason\tLength\tPay\nMarriage\t3 days\tFull\nStudy\t8 days a year\tHalf\n"
SHOPS = "分店\t營業額\t店長\n台北\t320\t陳怡君\n台中\t210\t林志明\n"
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
        (LEAVE, "Marriage gives 3 days with full pay.", ""),  # the header that is named has its own cell
        (LEAVE, "Marriage gives 3 days without pay.", "3"),
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
    ],
)
def test_cell_denies_what_a_claim_says_of_its_row(text, claim, why):
    assert str(explain_denied_cell(parse_wording(claim), [found.row for found in find_table_rows(text)])) == why


def test_words_that_also_stand_elsewhere_may_come_from_there():
    rows = [found.row for found in find_table_rows(FOOD)]
    assert not explain_mixed_cells(parse_wording("Berries have 95 calories."), rows, frozenset({"#95"}))


def test_rows_are_read_with_their_headers():
    spans = list(find_table_rows("Fees.\nPier\tDay\nNorth\t 7 \n\t8\n\nPier\t9\nShip\t10\n"))
    assert [found.row.text for found in spans] == ["Pier: North, Day: 7", "Day: 8", "Pier, 9", "Ship, 10"]
