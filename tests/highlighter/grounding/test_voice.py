"""Sentences in the passive voice, in the active voice."""

import pytest

from highlighter.grounding.voice import turn_active


@pytest.mark.parametrize(
    ("passive", "active"),
    [
        ("The price is paid by the Buyer within 28 days.", "The Buyer pays the price within 28 days."),
        ("The quotation must not be accepted by the Engineer.", "The Engineer must not accept the quotation."),
        ("The works are not supervised by the Client.", "The Client does not supervise the works."),
        ("The risk was borne by the owners until delivery.", "The owners bore the risk until delivery."),
        ("The form has been signed by both parties.", "Both parties have signed the form."),
        ("The goods are returned by the Buyer, unless they were opened.", "The Buyer returns the goods, unless they were opened."),
        ("The deposit is held by him.", "He holds the deposit."),
        ("Delay damages were paid by Ms Okoro.", "Ms Okoro paid delay damages."),
        ("The letter was sent to the Tenant by the Landlord.", "The Landlord sent the letter to the Tenant."),
        ("The rules were made by the Ministry of Health.", "The Ministry of Health made the rules."),
        ("The goods are returned by the customer to the shop.", "The customer returns the goods to the shop."),
        ("Ms Okoro was appointed by the Client.", "The Client appointed Ms Okoro."),
    ],
)  # fmt: skip
def test_who_acts_comes_first(passive, active):
    assert turn_active(passive) == active


@pytest.mark.parametrize(
    "sentence",
    [
        "The Buyer pays the price within 28 days.",
        "The fee is paid by 5 May.",
        "Between October and March the boiler is repaired by the Landlord.",
        "The report is due by the end of March.",
        "The dispute was settled by a vote.",
        "The battery may be opened by a dealer only.",
        "The bridge was designed by Ms Okoro and built by Arup.",
        "The Client says the works are supervised by the Engineer.",
        "The insurance may be replaced by an insurer's undertaking to provide it in the event of award.",
        "The derailment was caused by the excessive weight of the train.",
        "The pond is maintained by a management company for the first ten years.",
        "The roof was damaged by a storm.",
        "The tender was won by an offer to work at night.",
        "The firm was helped by its bank to pay the fee.",
        "價款由買方支付。",
        "",
    ],
)
def test_sentence_whose_parts_cannot_be_told_apart_stays(sentence):
    assert turn_active(sentence) == sentence
