"""Numbers of a claim that are calculated from numbers of its sentences."""

import pytest

from highlighter.grounding.calculations import (
    agrees_with_factor,
    agrees_with_sign,
    drop_calculated_change,
    find_calculated_numbers,
    find_derivable_numbers,
    find_following_days,
)
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("claim", "sentence", "calculated"),
    [
        ("A penalty of $1.5 million had to do with other matters.", "$3.5 million, of which $2 million are for Orford.", ["1.5 million"]),
        ("Her promotion came thirteen years later.", "She found it in 1925 and was promoted in 1938.", ["thirteen"]),
        ("施工历时六年。", "该线于1906年动工，1912年通车。", ["六"]),
        ("The gap is £5 million.", "The Nordic division contributed £96 million, Iberia £91 million.", ["5 million"]),
        ("Three fifths come from elsewhere.", "The industry makes up 40 percent.", ["three fifths"]),
        ("Of the 31 homes, 26 have no more.", "In all 31 homes; with more, of which there are 5.", ["26"]),
        ("500 square metres are billed at €95,000.", "It is invoiced at €190 per square metre.", ["500", "95,000"]),
        ("Repaying $2,000,000 costs a fee of $20,000.", "The fee is 1% of the amount.", ["2,000,000", "20,000"]),
        ("At a price of €200, the other comes to €170.", "It is 15% cheaper.", ["200", "170"]),
        ("It rose by 0.6 percentage points.", "It rose from 3.0% to 3.6%.", ["0.6"]),
        ("In all 85 per cent agreed.", "25 per cent agreed and 60 per cent agreed strongly.", ["85"]),
        ("The estimate was £104,000.", "It cost £118,000, which is £14,000 above the estimate.", ["104,000"]),
        ("The overdue rate is 4.75 per cent.", "Interest is 2.75 per cent; on overdue sums it is 2 per cent higher.", ["4.75"]),
        # Rates that need not add up, and what was above another value.
        ("On Sunday nights 85 per cent is paid.", "The surcharge is 25 per cent at night, on Sundays 60 per cent.", []),
        ("It cost £132,000.", "It cost £118,000, which is £14,000 above the estimate.", []),
        # Wrong results, chance, and units that do not go together.
        ("The gap is £6 million.", "The Nordic division contributed £96 million, Iberia £91 million.", []),
        ("Of the 31 homes, 21 have no more.", "In all 31 homes; 7 keys; 3 promised.", []),
        ("It has four parts.", "It has seven rooms and three doors.", []),
        ("It rose by 0.6 per cent.", "It rose from 3.0% to 3.6%.", []),
        ("It takes 40 days.", "It costs £90 and then £50.", []),
        ("Repaying $2,000,000 costs a fee of $30,000.", "The fee is 1% of the amount.", []),
        ("It lasted thirteen years.", "It weighs 1,938 kg and holds 1,925 litres.", []),
    ],
)  # fmt: skip
def test_results_of_one_calculation_are_found(claim, sentence, calculated):
    starts = find_calculated_numbers(claim, [sentence])
    assert sorted(starts) == sorted(claim.lower().index(number) for number in calculated)


@pytest.mark.parametrize(
    ("claim", "sentence", "derivable"),
    [
        ("It costs 4.96 euros for the second child.", "It costs 6.20 euros; for the second child it is 20 per cent less.", ["4.96"]),
        ("The filter is cleaned every 250 hours.", "It is cleaned every 500 hours; in dusty rooms this is halved.", ["250"]),
        ("Seven of the eleven plants do not.", "Four of our eleven plants do.", ["seven"]),
        ("It holds 2.8 kWh more.", "It holds 9.8 kWh, and the old one 7.0 kWh.", ["2.8"]),
        ("In all 85 per cent agreed.", "The response rate was high: 25 per cent agreed and 60 per cent agreed strongly.", ["85"]),
        ("It costs 4.50 euros for the second child.", "It costs 6.20 euros; for the second child it is 20 per cent less.", []),
        ("The filter is cleaned every 250 hours.", "It is cleaned every 500 hours.", []),
        ("Six of the eleven plants do not.", "Four of our eleven plants do.", []),
        ("It holds 7 kWh.", "It holds 9.8 kWh, and the old one 7.0 kWh.", []),
        ("Seven plants do.", "Four of our eleven plants do.", []),
    ],
)  # fmt: skip
def test_number_that_may_be_a_result_is_no_other_number(claim, sentence, derivable):
    starts = find_derivable_numbers(claim, [sentence])
    assert sorted(starts) == sorted(claim.lower().index(number) for number in derivable)


def test_no_result_is_looked_for_among_very_many_numbers():
    sentence = " ".join(f"£{number}." for number in range(100, 140))
    assert not find_calculated_numbers("The sum is £201.", [sentence])


@pytest.mark.parametrize(
    ("claim", "sentence", "read"),
    [
        ("It falls by £410 a year.", "It falls from £4,920 to £4,510.", "It falls a year."),
        ("Sie steigt um 3,7 Mio. Euro.", "Sie steigt von 45,2 Mio. € auf 48,9 Mio. €.", "Sie steigt."),
        ("收入增加了43亿元。", "收入从315亿元增加到358亿元。", "收入增加。"),
        ("It falls by £420.", "It falls from £4,920 to £4,510.", None),
        ("It falls by 410 days.", "It falls from £4,920 to £4,510.", None),
        ("It rose by £2m.", "It was forecast to rise from £3m to £5m.", None),
        ("It is £410 less.", "It falls from £4,920 to £4,510.", None),
        ("It rose by £4 million.", "It rose from £45 million to £48 million, and they from £30 million to £34 million.", None),
    ],
)  # fmt: skip
def test_change_that_the_two_values_of_a_sentence_give_is_not_read(claim, sentence, read):
    assert drop_calculated_change(parse_wording(claim), [sentence]) == (read or claim)


@pytest.mark.parametrize(
    ("claim", "sentence", "is_agreed"),
    [
        ("The price doubled.", "The price rose from EUR 4 to EUR 8.", True),
        ("The price fell by half.", "The price fell from EUR 8 to EUR 4.", True),
        ("Der Preis hat sich verdoppelt.", "Der Preis stieg von 4 Euro auf 8 Euro.", True),
        ("价格翻倍。", "价格从4元上涨到8元。", True),
        ("The price doubled.", "The price rose from EUR 4 to EUR 6.", False),
        ("The price doubled.", "The price fell from EUR 8 to EUR 4.", False),
        ("The price rose.", "The price rose from EUR 4 to EUR 8.", False),
    ],
)
def test_values_of_a_sentence_agree_with_what_doubled_or_halved(claim, sentence, is_agreed):
    assert agrees_with_factor(claim, sentence) == is_agreed


@pytest.mark.parametrize(
    ("claim", "sentence", "is_agreed"),
    [
        ("Paper made an operating loss of EUR 14.8 million.", "Paper, Operating profit: EUR -14.8 million", True),
        ("Der Verlust betrug 14,8 Mio. Euro.", "Ergebnis: (14,8 Mio. Euro)", True),
        ("亏损1480万元。", "利润：-1480万元", True),
        ("Paper made a profit of EUR 14.8 million.", "Paper, Operating profit: EUR -14.8 million", False),
        ("Paper made an operating loss of EUR 14.8 million.", "Paper, Operating profit: EUR 14.8 million", False),
        ("Paper made an operating loss of EUR 18.4 million.", "Paper, Operating profit: EUR -14.8 million", False),
    ],
)
def test_number_with_a_minus_is_a_loss(claim, sentence, is_agreed):
    assert agrees_with_sign(claim, sentence) == is_agreed


SHIP = "The ship arrived on 29 June and tendered notice the following day."


@pytest.mark.parametrize(
    ("claim", "source", "is_said"),
    [
        ("Notice was tendered on 30 June.", SHIP, True),
        ("Notice was tendered on 29 June.", SHIP, False),
        ("Notice was tendered on 28 June.", SHIP, False),
        ("Notice was tendered on 30 June.", "The ship arrived on 29 June.", False),
        ("Das Schiff fuhr am 4. Mai ab.", "Das Schiff kam am 3. Mai an und fuhr am folgenden Tag ab.", True),
        ("Le navire est reparti le 4 mai.", "Arrivé le 3 mai, le navire est reparti le lendemain.", True),
        ("船は5月4日に出た。", "船は5月3日に着き、翌日に出た。", True),
    ],
)
def test_following_day_is_the_day_after_a_date(claim, source, is_said):
    assert bool(find_following_days(parse_wording(claim), [parse_wording(source)])) == is_said
