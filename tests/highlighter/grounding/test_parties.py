"""Who acts in a claim and in a sentence, in the languages whose words for parties are known."""

import pytest

from highlighter.grounding.parties import (
    are_defined_as_same,
    find_absent_party,
    find_exchanged_parties,
)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The Tenant pays for delivery.", "The Landlord bears the cost of delivery."),
        ("Maintaining the roof is the Tenant's duty.", "1.2 The Landlord shall maintain the roof."),
        ("The fees are paid by the competent minister.", "The fees are owed by the ombudsman."),
        ("Within a month the chair rules on it.", "The secretary decides on it within a month."),
        ("The subsidiary owes the tax.", "For the tax of the year the parent company is liable."),
        ("Lieferung und Versicherung bezahlt der Vermieter.", "Der Mieter trägt die Kosten der Lieferung."),
        ("Die Kosten werden vom Verkäufer getragen.", "Der Käufer trägt die Kosten."),
        ("Les frais sont à la charge du locataire.", "Le bailleur supporte les frais."),
        ("Los gastos corren a cargo del vendedor.", "El comprador asume los gastos."),
        ("Los paga el arrendador.", "El arrendatario asume los gastos."),
        ("المزود يدفع الرسوم.", "يدفع العميل الرسوم."),
        ("屋頂由承租人維修。", "出租人負責維修屋頂。"),
        ("维修屋顶是乙方的责任。", "甲方负责维修屋顶。"),
        ("修繕費は借主の負担とする。", "貸主は修繕費を負担する。"),
        ("The tenant grants access.", "The landlord grants access."),
        ("The respondent pays the fee.", "The appellant pays the fee."),
    ],
)
def test_another_party_acts(claim, sentence):
    assert find_absent_party(claim, sentence)
    assert find_absent_party(sentence, sentence) is None
    assert find_absent_party(claim, claim) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The purchaser pays.", "The Buyer pays."),  # other words for the same
        ("The agency must answer.", "The authority must answer."),
        ("The buyer may return the goods.", "Goods may be returned to the seller within 14 days."),
        ("The tenant is given the keys.", "The landlord hands over the keys."),
        ("The buyer gets a refund.", "The seller pays the price back."),
        ("Tenants must pay by the third.", "You must pay your landlord by the third."),
        ("Patients should take it with food.", "Doctors recommend taking it with food."),
        ("Der Mieter haftet.", "Die Pflichten der Vermieter bestehen daneben."),
        ("Le locataire paie.", "Les clés sont remises au bailleur."),
        ("买方付款。", "货物交付给卖方。"),
        ("The roof is green.", "The Landlord shall maintain the roof."),
        ("Employees have 25 days of leave.", "The employer grants 25 days of leave."),
        ("The tenant pays a deposit.", "The landlord may demand a deposit."),
        ("Workers earn 15 euros an hour.", "The employer pays 15 euros an hour."),
        ("Der Mieter zahlt eine Kaution.", "Der Vermieter kann eine Kaution von zwei Monatsmieten verlangen."),
        ("Le client paie 5 euros.", "La banque facture 5 euros."),
        ("El cliente paga 5 euros.", "El banco cobra 5 euros."),
        ("承租人应支付押金。", "出租人有权收取押金。"),
        ("客户可以取消订单。", "用户可以取消订单。"),
        ("The customer may copy it once.", "The licensee may copy it once."),
        ("The vendor delivers the reports.", "The Contractor delivers the reports."),
        ("The shareholder may sell.", "The holder may sell."),
        ("The plaintiff pays the fee.", "The appellant pays the fee."),
        ("The defendant pays the fee.", "The appellant pays the fee."),
    ],
)
def test_no_other_party_acts(claim, sentence):
    assert find_absent_party(claim, sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence", "words"),
    [
        ("The Tenant is indemnified by the Landlord.", "The Tenant shall indemnify the Landlord.", ("Landlord", "Tenant")),
        ("Insolvency of the Buyer allows the Seller to end it.", "If the Seller becomes insolvent, the Buyer may terminate.",
         ("Buyer", "Seller")),
        ("The fee was paid by the bank to the borrower.", "The borrower paid the fee to the bank.", ("bank", "borrower")),
        ("The Tenant indemnifies the Landlord.", "The Landlord is indemnified by the Tenant.", None),
        ("The landlord leases the flat to the tenant.", "The tenant leases the flat from the landlord.", None),
        ("The Buyer's obligation is to pay the Seller.", "The Seller's obligation is to deliver, the Buyer's to pay.", None),
        ("The Buyer may end it if the Seller does.", "The Seller may end it, and the Buyer may end it, too.", None),
    ],
)  # fmt: skip
def test_exchanged_parties_are_found(claim, sentence, words):
    found = find_exchanged_parties(claim, sentence)
    assert (found and tuple(party.word for party in found)) == words


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ("The Customer is the Controller and the Supplier is the Processor.", True),
        ('"Processor" means the Supplier.', True),
        ('The Supplier (the "Processor") keeps records.', True),
        ("The Supplier keeps records for the Processor.", False),
        ('Between Acme Ltd (the "Supplier") and Beta Ltd (the "Processor").', False),
        ("The Supplier is not the Processor.", False),
        ('The Supplier and Beta Ltd (the "Processor") agree.', False),
    ],
)
def test_words_are_defined_for_one_party(text, is_same):
    absent = find_absent_party("The Supplier keeps records.", "The Processor keeps records.")
    assert are_defined_as_same(text, *absent) is is_same
