"""Clauses that leave out what the first one says."""

import pytest

from highlighter.grounding.gapped_clauses import complete_clauses


@pytest.mark.parametrize(
    ("sentence", "completed"),
    [
        ("The north car park has 120 spaces, the south car park 85.", ["the south car park has 85 spaces."]),
        ("Adults pay 12 euros, children 6 euros.", ["children pay 6 euros."]),
        ("Filters are changed monthly, belts once a year.", ["belts are changed once a year."]),
        (
            "Das Erdgeschoss ist bis 20 Uhr geöffnet, das Obergeschoss bis 18 Uhr und das Archiv bis 16 Uhr.",
            ["das Obergeschoss ist bis 18 Uhr geöffnet.", "das Archiv ist bis 16 Uhr geöffnet."],
        ),
        ("Le musée ferme à 18 heures et le jardin à 20 heures.", ["le jardin ferme à 20 heures."]),
        ("La sala grande ospita 200 persone, la sala piccola 40.", ["la sala piccola ospita 40 persone."]),
        (
            "Vehicles of emission class Euro VI receive 10 points, electric vehicles 15 points, older vehicles none.",
            ["electric vehicles receive 15 points."],
        ),
        (
            "The emergency stop buttons must be tested once a week, the brake of the ram once a month.",
            ["the brake of the ram must be tested once a month."],
        ),
        (
            "La evaluación continua representa el 40 % de la calificación final y el examen final el 60 %.",
            ["el examen final representa el 60 % de la calificación final."],
        ),
        (
            "L'abonnement coûte 49 € par mois pour l'offre Direct et 19 € par mois pour l'offre Libre.",
            ["L'abonnement coûte 19 € par mois pour l'offre Libre."],
        ),
        ("The fee is 49 euros for members and 19 euros for guests.", ["The fee is 19 euros for guests."]),
        ("Adults pay 12 euros, children no fee, older guests 6 euros.", ["older guests pay 6 euros."]),
        # What it depends on, what is denied, and clauses with a verb or a unit of their own.
        ("If adults pay 12 euros, children 6 euros.", []),
        ("Adults do not pay 12 euros, children 6 euros.", []),
        ("Where 200 persons stay, there are three exits, and for 600 at least four.", []),
        ("Medicine: Amlodipine 5 mg, morning: 0, noon: 0", []),
        ("De inschrijving opent op 17 november en sluit op 26 november.", []),
        ("We sold 12 cars, and the shop 5 bikes.", []),
        ("The shop is open until 8, and closed on 5 days.", []),
        ("Adults pay 12 euros, and children under 6.", []),
        ("He paid 49 euros for the book, and 19 euros were given back.", []),
        ("Our members pay a yearly fee of 40 euros, foreign students 20 euros.", []),
        ("The buyer does not pay 49 euros for members and 19 euros for guests.", []),
        ("成人票价为四十元，儿童票价为二十元。", []),
    ],
)
def test_later_clause_has_the_words_of_the_first_one(sentence, completed):
    assert complete_clauses(sentence) == completed
