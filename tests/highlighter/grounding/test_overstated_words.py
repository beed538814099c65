"""What a sentence only allows, recommends, takes back or has as a condition."""

import pytest

from highlighter.grounding.overstated_words import find_overstatement


@pytest.mark.parametrize(
    ("claim", "sentence", "words"),
    [
        ("Patients with tophi should be given febuxostat.", "Febuxostat may be considered for patients with tophi.", "may be considered"),
        ("Visitors are required to register.", "Visitors are asked to register.", "are asked"),
        ("Visitors must register at the desk.", "Visitors should register at the desk.", "should"),
        ("Gloves are mandatory in the workshop.", "Gloves are recommended in the workshop.", "recommended"),
        ("In der Werkstatt sind Handschuhe verpflichtend.", "In der Werkstatt werden Handschuhe empfohlen.", "empfohlen"),
        ("Le port de gants est obligatoire à l'atelier.", "Le port de gants est recommandé à l'atelier.", "recommandé"),
        ("Los guantes son obligatorios en el taller.", "Se recomienda usar guantes en el taller; los guantes están recomendados.", "recomendados"),
        ("车间里必须戴手套。", "车间里建议戴手套。", "建议"),
        ("Visitors are asked to register.", "Visitors are asked to register.", None),
        ("Visitors should register at the desk.", "Visitors must register at the desk.", None),
        ("Gloves are recommended in the workshop.", "Gloves may be considered in the workshop, and are recommended.", None),
        ("Visitors must register.", "Visitors are asked to wait, and must register.", None),
        ("Children must be with an adult.", "Gloves are recommended; children need an adult.", None),
        # A condition:
        ("The company holds the licence.", "The exemption applies if the company obtains the licence.", "if the company obtains the licence"),
        ("La société dispose de la licence.", "L'exonération s'applique si la société obtient la licence.", "si la société obtient la licence"),
        ("La société Altéane dispose de l'attestation de la région.", "L'exonération de la formation peut s'appliquer à l'offre si la société obtient l'attestation de la région.", "si la société obtient l'attestation de la région"),
        ("Die Firma hat die Lizenz.", "Die Befreiung gilt, falls die Firma die Lizenz erhält.", "falls die Firma die Lizenz erhält"),
        ("La società ha la licenza.", "L'esenzione è concessa anche per gli anni passati se la società ottiene la licenza.", "se la società ottiene la licenza"),
        ("公司持有许可证。", "如果公司取得许可证，则免税。", "如果公司取得许可证"),
        ("The company must obtain the licence.", "The exemption applies if the company obtains the licence.", None),
        ("If the company obtains the licence, it is exempt.", "The exemption applies if the company obtains the licence.", None),
        ("The company is exempt with the licence.", "The company is exempt if it obtains the licence.", None),
        ("The exemption applies.", "The exemption applies if the company obtains the licence.", None),
        # What was taken back:
        ("The Agency objects to the plan.", "The Agency initially objected and withdrew its objection in July.", "withdrew its objection in July"),
        ("The Agency objected to the plan.", "The Agency initially objected and withdrew its objection in July.", None),
        ("The pond is larger now.", "The Agency withdrew its objection after the pond had been enlarged.", None),
        ("The Agency no longer objects to the plan.", "The Agency withdrew its objection in July.", None),
        # What is allowed with an exception:
        ("Smoking is prohibited on the balcony.", "Smoking is permitted on the balcony unless the landlord prohibits it.", "unless the landlord prohibits it"),
        ("Está prohibido usar calculadoras.", "El uso de calculadoras está permitido salvo que el profesor lo prohíba.", "salvo que el profesor lo prohíba"),
        ("Está prohibido usar calculadoras no programables.", "El uso de calculadoras no programables está permitido salvo que el profesor lo prohíba.", "salvo que el profesor lo prohíba"),
        ("It is not prohibited to smoke.", "Smoking is permitted unless the landlord prohibits it.", None),
        ("Il est interdit de fumer.", "Il est permis de fumer, sauf si le bailleur l'interdit.", "sauf si le bailleur l'interdit"),
        ("Smoking is prohibited in the garden.", "Smoking is permitted except in the garden.", None),
        ("Smoking is prohibited if the landlord says so.", "Smoking is permitted unless the landlord prohibits it.", None),
        ("Smoking is permitted on the balcony.", "Smoking is permitted on the balcony unless the landlord prohibits it.", None),
    ],
)  # fmt: skip
def test_weaker_words_of_a_sentence_are_found(claim, sentence, words):
    assert find_overstatement(claim, sentence) == words
