"""Days, times and events that a sentence says hold no longer."""

import pytest

from highlighter.grounding.changed_values import agrees_with_change, find_cancellation, find_superseded
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("source", "old", "current"),
    [
        ("The meeting of 3 March has been moved to 10 March.", "3 March", "10 March"),
        ("The deadline was extended from 30 June to 15 July.", "30 June", "15 July"),
        ("It now starts at 19:30 instead of 18:00.", "18:00", "19:30"),
        ("Die für den 4. Mai angesetzte Verhandlung wurde auf den 11. Juni vertagt.", "4. Mai", "11. Juni"),
        ("Le cercle du 3 mars est reporté au 10 mars.", "3 mars", "10 mars"),
        ("El club del 3 de marzo se aplaza al 10 de marzo.", "3 de marzo", "10 de marzo"),
        ("Il gruppo del 3 marzo è rinviato al 10 marzo.", "3 marzo", "10 marzo"),
        ("A reunião de 4 de março foi adiada para 11 de junho.", "4 de março", "11 de junho"),
        ("De avond van 24 november is verplaatst naar 1 december.", "24 november", "1 december"),
        ("原定3月3日的读书会改到3月10日举行。", "3月3日", "3月10日"),
        ("5月4日の説明会は6月11日に延期された。", "5月4日", "6月11日"),
    ],
)
def test_day_or_time_that_another_one_replaced_is_no_longer_that_of_a_claim(source, old, current):
    source, claim = parse_wording(source), parse_wording(f"… {old} …")
    (found,) = find_superseded(claim, source)
    assert (found.old_text, found.current_text) == (old, current)
    assert agrees_with_change(parse_wording(f"… {current} …"), source)
    assert not agrees_with_change(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The meeting of 3 March was moved.", "The meeting of 3 March has been moved to 10 March."),
        ("It was originally set for 3 March.", "The meeting of 3 March has been moved to 10 March."),
        ("The contract is dated 3 March 2020.", "The contract of 3 March 2020 was extended to 31 December 2026."),
        ("The shop opens at 9.", "The shop moved to 10 High Street in 2019 and opens at 9."),
        ("It opens at 8:00.", "The hours were changed and are now 8:00 to 18:00."),
        ("It begins on 1 May.", "The course was moved to the hall and runs from 1 May to 30 June."),
        ("It is at most 15.", "In clause 4 it must not exceed 15."),
        ("It is open until 13:00.", "It ends at 13:00, not at 14:00."),
        ("It is on 3 March.", "It is from 3 March to 10 March."),
    ],
)
def test_what_still_holds_or_is_said_to_have_held_is_not_replaced(claim, source):
    assert not list(find_superseded(parse_wording(claim), parse_wording(source)))


@pytest.mark.parametrize("claim", ["It is open until 14:00.", "It is open from 14:00."])
def test_time_up_to_or_from_which_something_lasts_can_be_replaced(claim):
    (found,) = find_superseded(parse_wording(claim), parse_wording("It ends at 13:00, not at 14:00."))
    assert found.current_text == "13:00"


@pytest.mark.parametrize(
    ("claim", "source", "words"),
    [
        ("The reading takes place on 12 March.", "The reading on 12 March is cancelled; tickets are refunded.", "is cancelled"),
        ("Der Abend findet am 12. März statt.", "Der Abend am 12. März entfällt; die Karten werden erstattet.", "entfällt"),
        ("La velada es el 12 de marzo.", "La velada del 12 de marzo se cancela.", "se cancela"),
        ("講演会は3月12日に開かれる。", "3月12日の講演会は中止となった。", "中止"),
        ("The patent covers animal feed.", "The claims of the patent on animal feed were removed in May.", "claims of the patent on animal feed were removed"),
        ("The old rule is on dogs.", "The old rule on dogs was repealed; the new rule covers cats.", "was repealed"),
        ("本产品可用于大理石。", "第二版中关于本产品可用于大理石的说明已经删除。", "已经删除"),
        # What is said of something else, of a case, or denied.
        ("The new rule covers cats.", "The old rule on dogs was repealed; the new rule covers cats.", ""),
        ("The rule on dogs was repealed in May.", "The rule on dogs was repealed.", ""),
        ("The rule covers dogs.", "If the rule on dogs is repealed, the fee is refunded.", ""),
        ("Section 7 is on dogs.", "Section 7 on dogs is repealed.", "Section 7 on dogs is repealed"),
        # What happens to things, and takes back no statement.
        ("Data are kept for 30 days.", "Data are deleted after 30 days.", ""),
        ("Access rights end with employment.", "Access rights are revoked at the end of employment.", ""),
        ("Les données sont effacées au bout de trois ans.", "Les données sont supprimées au bout de trois ans.", ""),
        ("Die Daten bleiben drei Jahre erhalten.", "Die Daten sind nach drei Jahren gelöscht.", ""),
        ("数据保存三个月。", "数据三个月后被删除。", ""),
        ("Tickets for the reading are refunded.", "The reading on 12 March is cancelled; tickets are refunded.", ""),
        ("The reading takes place in the hall.", "If the reading in the hall is cancelled, the price is refunded.", ""),
        ("The price is refunded.", "If the reading is cancelled, the price is refunded.", ""),
        ("Trading stopped at 3 pm.", "Trading was suspended at 3 pm.", ""),
        ("La compagnie a annulé le vol.", "Le vol a été annulé par la compagnie.", ""),
        ("The reading may take place.", "The reading may have to be cancelled.", ""),
        ("The reading on 12 March does not take place.", "The reading on 12 March is cancelled.", ""),
        ("Karten, die verfallen, kosten nichts.", "Karten für Abende, die abgesagt werden, kosten nichts.", ""),
    ],
)  # fmt: skip
def test_what_is_cancelled_does_not_take_place(claim, source, words):
    assert find_cancellation(parse_wording(claim), parse_wording(source)) == words
