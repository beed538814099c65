"""Quotes that leave a restriction of their sentence out, and quotes that leave out nothing that restricts."""

import pytest

from highlighter.grounding.cut_quotes import (
    find_omitted_restriction,
    find_restriction_omitted_from_source,
    find_unsaid_restriction,
)

CUT = [
    ("The Seller pays within 28 days unless the Buyer is in default.", "The Seller pays within 28 days", "unless the Buyer is in default"),
    ("The Seller pays the costs only if they were agreed.", "The Seller pays the costs", "only if they were agreed"),
    ("Dogs are allowed, except in the kitchen and the bar.", "Dogs are allowed", "except in the kitchen and the bar"),
    ("The fee is refunded, provided that notice is given.", "The fee is refunded", "provided that notice is given"),
    ("The tenant may sublet the flat subject to clause 12.", "The tenant may sublet the flat", "subject to clause 12"),
    ("The tenant may keep pets, but no dogs.", "The tenant may keep pets", "but no dogs"),
    ("The tenant may sublet the flat; provided that the owner agrees.", "The tenant may sublet the flat", "provided that the owner agrees"),
    ("4.2 If the Buyer agrees, the Seller pays within 28 days.", "the Seller pays within 28 days", "If the Buyer agrees"),
    ("(a) Unless the owner objects, the tenant may sublet.", "the tenant may sublet", "Unless the owner objects"),
    ("The tenant may, subject to clause 12, sublet the whole flat.", "sublet the whole flat", "subject to clause 12"),
    ("Only the landlord of the flat may end the lease.", "the landlord of the flat may end the lease", "Only"),
    ("The Seller shall not be liable for any delay.", "be liable for any delay", "not"),
    ("The Seller doesn't pay the costs of transport.", "pay the costs of transport", "doesn't"),
    ("The tenant may sublet, if the owner agrees, for a year.", "The tenant may sublet … for a year", "if the owner agrees"),
    ("The Contractor shall not work in the harbour at night.", "The Contractor shall … work in the harbour at night", "not"),
    ("The tenant may sublet the flat only with consent of the owner.", "The tenant may sublet the flat ... consent of the owner", "only with"),
    ("The tenant may sublet the flat for a year with the consent of the owner if asked for. A copy is kept.", "The tenant may sublet the flat [...] A copy is kept", "if asked for"),
    ("賣方須於28日內付款,除非買方違約。", "賣方須於28日內付款", "除非買方違約"),
    ("租客可以飼養寵物，但不得飼養狗隻。", "租客可以飼養寵物", "但不得飼養狗隻"),
    ("租客可以分租單位,惟須先得業主同意。", "租客可以分租單位", "惟須先得業主同意"),
    ("卖方支付运输费用仅限于约定的范围。", "卖方支付运输费用", "仅限于约定的范围"),
    ("只有業主可以提前終止本租約。", "業主可以提前終止本租約", "只有"),
    ("如買方同意，賣方須於28日內付款。", "賣方須於28日內付款", "如買方同意"),
    ("除另有約定外，賣方須於28日內付款。", "賣方須於28日內付款", "除另有約定外"),
    ("未經買方書面同意，賣方不得轉讓合約。", "賣方不得轉讓合約", "未經買方書面同意"),
    ("買方逾期付款的，賣方可以解除合約。", "賣方可以解除合約", "買方逾期付款的"),
    ("租客不得把單位轉租予他人。", "得把單位轉租予他人", "不"),
]  # fmt: skip

COMPLETE = [
    ("The Seller pays within 28 days unless the Buyer is in default.", "The Seller pays within 28 days unless the Buyer is in default"),
    ("The Seller pays within 28 days of receipt of the invoice.", "The Seller pays within 28 days"),
    ("The Seller pays within 28 days; if the Buyer objects, the court decides.", "The Seller pays within 28 days"),
    ("If the goods are late, they are returned; the Seller pays within 28 days.", "the Seller pays within 28 days"),
    ("The services provided by the Seller are listed in Annex B.", "The services provided by the Seller"),
    ("The Contractor shall not work at night.", "shall not work at night"),
    ("The Client, who is not a bank, pays the Seller within 28 days.", "The Client … pays the Seller within 28 days"),
    ("The fee is paid in advance. Unless it rains, tea is served. The garden closes at dusk.", "The fee is paid … The garden closes at dusk"),
    ("賣方付款的期限為若干日，另有協議。", "賣方付款的期限"),
    ("合同附件如下，賣方須於28日內付款。", "賣方須於28日內付款"),
    ("The ferry leaves the island at seven.", "Tickets cost four pounds each"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "quote", "omitted"), CUT)
def test_restriction_left_out_of_quote_is_found(sentence, quote, omitted):
    assert find_omitted_restriction(quote, sentence) == omitted


@pytest.mark.parametrize(("sentence", "quote"), COMPLETE)
def test_quote_without_omitted_restriction_is_complete(sentence, quote):
    assert find_omitted_restriction(quote, sentence) is None


def test_restriction_of_another_sentence_does_not_count():
    source = "If it rains, the ferry stays. The Seller pays within 28 days. Dogs are allowed, except in the bar."
    assert find_restriction_omitted_from_source("The Seller pays within 28 days", source) is None
    assert find_restriction_omitted_from_source("Dogs are allowed", source) == "except in the bar"


def test_quote_that_is_complete_at_one_place_is_not_cut():
    source = "Dogs are allowed in all rooms, unless a guest objects. In summer, dogs are allowed in all rooms."
    assert find_restriction_omitted_from_source("dogs are allowed in all rooms", source) is None


@pytest.mark.parametrize(
    ("claim", "sentence", "restriction"),
    [
        ("The tenant can sublet the flat.", "The tenant may sublet the flat subject to the landlord's consent.", "subject to the landlord's consent"),
        ("Dogs may come into the bar.", "Dogs are allowed in the bar and the garden, except on race days.", "except on race days"),
        ("The Seller has 28 days to pay.", "Unless the Buyer is in default, the Seller pays within 28 days.", "Unless the Buyer is in default"),
        ("付款期限是28日，由賣方負責。", "賣方須於28日內付款，除非買方違約。", "除非買方違約"),
        ("Nimbry 在二〇二五年遺失了兩名客戶的檔案，後來才告知他們。", "Nimbry lost the files of two clients in 2025 and told its clients only in June.", None),
        # The claim restricts it in its own words, or speaks of the restriction, or of another statement:
        ("The tenant can sublet the flat if the landlord agrees.", "The tenant may sublet the flat subject to the landlord's consent.", None),
        ("The landlord's consent is needed to sublet the flat.", "The tenant may sublet the flat subject to the landlord's consent.", None),
        ("Rent for the flat is 900 euros.", "The rent of the flat is 900 euros, and the deposit is due only in May.", None),
        # It restricts the clause before it alone, or is one of several conditions:
        ("The GP is asked to check renal function within a week.", "Please check renal function within one week, and review bisoprolol if the pulse is below 50.", None),
        ("Please review bisoprolol.", "Please check renal function within one week, and review bisoprolol if the pulse is below 50.", "if the pulse is below 50"),
        ("The tenant can sublet the flat.", "The tenant may sublet the flat, and the garage if the landlord agrees.", "if the landlord agrees"),
        ("The tenant can sublet the flat.", "The tenant may sublet the flat, the cellar, and garages if the landlord agrees.", "if the landlord agrees"),
        ("People with diabetes do not take it.", "Do not take it if you are allergic to soya, if you are pregnant, or if you have diabetes.", None),
        ("Nobody should take this medicine.", "You should not take this medicine if you are allergic to soya, or if you have diabetes.", "if you are allergic to soya"),
        ("The bar closes at ten.", "Dogs are allowed in the bar, except on race days.", None),
        ("The bank charges nothing for cash withdrawals abroad.", "Cash withdrawals abroad are free, except in the United States.", "except in the United States"),
        # It has few words of what is restricted:
        ("Buying ahead, the weekend pass is ten dollars cheaper than two day tickets.", "Day tickets cost $45 in advance and $55 at the gate, and the weekend pass for $80 is sold in advance only.", None),
        ("陪客户住贵一点的酒店可以先住后批。", "与客户同行的，可参照客户标准，但须事后三日内补批。", None),
    ],
)  # fmt: skip
def test_restriction_that_a_paraphrase_leaves_out_is_found(claim, sentence, restriction):
    assert find_unsaid_restriction(claim, sentence) == restriction
