"""What a sentence says of a time that is over, corrects, or leaves undecided."""

import pytest

from highlighter.grounding.unsettled_matters import find_unsettled_matter

BAND = "The application of the Brass Band for £3,000 was deferred, since its accounts had not been received."
BAN = "The proposal to ban scooters was submitted by the parents and will be voted on in October."


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The discount is 10 per cent.", "In 2024 the discount was 10 per cent.", "In 2024"),
        ("Der Preis beträgt 34,2 Cent.", "Bis zum 30. Juni 2025 betrug der Preis 34,2 Cent.", "Bis zum 30. Juni 2025"),
        ("Le tarif est de 30 euros.", "Jusqu'au 30 juin 2024, le tarif était de 30 euros.", "Jusqu'au 30 juin 2024"),
        ("La cuota es de 30 euros.", "En 2024 la cuota era de 30 euros.", "En 2024"),
        ("La quota è di 30 euro.", "Nel 2024 la quota era di 30 euro.", "Nel 2024"),
        ("A taxa é de 30 euros.", "Em 2024 a taxa era de 30 euros.", "Em 2024"),
        ("Het tarief is 30 euro.", "In 2024 was het tarief 30 euro.", "In 2024"),
        ("発売日は4月7日である。", "当初の発売日は4月7日の予定でしたが、延期しました。", "当初"),
        # What holds still or since then, what the claim tells of the same time, and what another clause says.
        ("The discount was 10 per cent.", "In 2024 the discount was 10 per cent.", None),
        ("The discount in 2024 is 10 per cent.", "In 2024 the discount was 10 per cent.", None),
        ("The limit is 50 euros.", "In 2024 the limit was raised to 50 euros.", None),
        ("The bridge is 300 metres long.", "In 1932 the bridge was 300 metres long, and it still is.", None),
        ("The house is 30 metres high.", "The house was built in 1904 and is 30 metres high.", None),
        ("The limit is 40 euros.", "In 2024 the limit was 50 euros; it is now 40 euros.", None),
        ("The fee is 18 euros.", "Until 2024 the fee was 15 euros and since then it is 18 euros.", None),
        ("The fee is 15 euros.", "Until 2024 the fee was 15 euros and since then it is 18 euros.", "Until 2024"),
        ("Der Eintritt kostet 5 Euro.", "Bis 2023 war der Eintritt frei und seitdem kostet er 5 Euro.", None),
        ("La tasa es de 18 euros.", "Hasta 2024 la tasa era de 15 euros y desde entonces es de 18 euros.", None),
        ("The discount is 5 per cent.", "In 2024 the discount for a cat and a dog was 5 per cent.", "In 2024"),
    ],
)  # fmt: skip
def test_time_that_is_over_of_what_a_claim_says_to_hold(claim, sentence, unsaid):
    assert find_unsettled_matter(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The trial was completed by 177 people.", "Correction: the number who completed the trial was given as 177.", "was given"),
        ("The trial was completed by 171 people.", "Correction: the number was given as 177; the trial was completed by 171 people.", None),
        ("The number was given as 177.", "Correction: the number who completed the trial was given as 177.", None),
        ("The fee is 177 euros.", "The fee was given as 177 euros.", None),
        ("The profit was £4 million.", "In its corrected accounts, the profit was reported as £4 million.", None),
    ],
)  # fmt: skip
def test_figure_that_a_sentence_corrects(claim, sentence, unsaid):
    assert find_unsettled_matter(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("The Brass Band was awarded £3,000.", BAND, "application of the Brass Band for £3,000 was deferred"),
        ("Scooters are banned.", BAN, "proposal to ban scooters was submitted"),
        ("Der Vertrag regelt die Altersteilzeit.", "Verhandlungen über Altersteilzeit wurden vertagt.", "Verhandlungen über Altersteilzeit wurden vertagt"),
        ("Los patinetes están prohibidos.", "La propuesta de prohibir los patinetes fue presentada en mayo.", "propuesta de prohibir los patinetes fue presentada"),
        ("Le parc est ouvert la nuit.", "La demande d'ouvrir le parc la nuit a été rejetée.", "demande d'ouvrir le parc la nuit a été rejetée"),
        # What is said of the proposal itself, and what was accepted.
        ("The Brass Band asked for £3,000.", BAND, None),
        ("The vote is in October.", BAN, None),
        ("Über Altersteilzeit gibt es noch keine Einigung.", "Verhandlungen über Altersteilzeit wurden vertagt.", None),
        ("The Rowing Club got £2,500.", "The application of the Rowing Club for £2,500 was granted.", None),
        ("The paint needs two coats.", "The application of the paint was done in two coats.", None),
    ],
)  # fmt: skip
def test_proposal_that_a_claim_tells_as_a_fact(claim, sentence, unsaid):
    assert find_unsettled_matter(claim, sentence) == unsaid
