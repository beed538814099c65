"""What a source refuses without a "not", and a claim allows."""

import pytest

from highlighter.grounding.refusals import find_refusals
from highlighter.grounding.wording import parse_wording

TENDERS = "Tenders may be sent by post; tenders sent by e-mail will be rejected."


@pytest.mark.parametrize(
    ("claim", "source", "words"),
    [
        ("Tenders may be sent by e-mail.", "Tenders sent by e-mail or post will be rejected.", "will be rejected"),
        ("Tenders may be sent by e-mail.", TENDERS, "will be rejected"),
        ("Le médicament peut être pris avec du jus.", "Le jus peut augmenter l'effet et doit être évité.", "être évité"),
        ("Angebote dürfen per E-Mail kommen.", "Angebote per E-Mail werden abgelehnt.", "werden abgelehnt"),
        ("Se pueden presentar ofertas por correo.", "Las ofertas por correo serán rechazadas.", "serán rechazadas"),
        ("Children may swim at the red flag.", "At the red flag nobody may swim.", "nobody may"),
        ("紅旗時兒童可以下水。", "紅旗時任何人不得下水。", "任何人不得"),
        ("Katzen dürfen mitkommen.", "Hunde sind erlaubt, Katzen sind verboten.", "sind verboten"),
        ("Tenders may arrive late.", "Tenders that are late, even by an hour, will be rejected.", "will be rejected"),
        # Another matter, what is refused in some case or to somebody, and a claim that says so.
        ("Tenders may be sent by post.", TENDERS, None),
        ("Members may bring guests.", "Members may bring guests, and guests without a ticket will be refused.", None),
        ("Tenders may be sent by e-mail.", "Tenders sent by e-mail will be rejected if they are late.", None),
        ("Tenders sent by e-mail are rejected.", TENDERS, None),
        ("Children may swim at the yellow flag.", "At the red flag nobody may swim.", None),
        ("Guests can pay by card.", "Cash and cards are accepted, cheques will be refused.", None),
        ("Les chiens peuvent entrer.", "Les chiens sont admis, les chats sont interdits.", None),
        ("Hunde dürfen mitkommen.", "Hunde sind erlaubt, Katzen sind verboten.", None),
        ("Members may swim at night.", "Nobody may swim at night except members.", None),
    ],
)  # fmt: skip
def test_refusal_of_what_a_claim_allows(claim, source, words):
    refusals = list(find_refusals(parse_wording(claim), parse_wording(source)))
    assert [refusal.words for refusal in refusals] == ([words] if words else [])
