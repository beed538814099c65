"""What a source leaves out of what it forbids."""

import pytest

from highlighter.grounding.exclusions import find_denied_exclusion, find_exclusions, grants
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Dogs are allowed.", "No animals are allowed other than dogs."),
        ("The Tenant may keep a dog.", "The Tenant must not keep any animal except a dog."),
        ("Employees may work from home in an emergency.", "Except in an emergency, employees may not work from home."),
        ("Hunde können gehalten werden.", "Tiere dürfen nicht gehalten werden, ausgenommen Hunde."),
        ("Ein Blindenhund ist erlaubt.", "Tierhaltung ist nicht gestattet, ausgenommen Blindenhunde."),
        ("Les vélos sont autorisés.", "Les véhicules sont interdits, sauf les vélos."),
        ("Las bicicletas están permitidas.", "Los vehículos no están permitidos, salvo las bicicletas."),
        ("紧急情况下可以使用。", "除紧急情况外，不得使用。"),
        ("La caccia è consentita nelle riserve private.", "La caccia è vietata, tranne nelle riserve private."),
    ],
)
def test_source_allows_what_it_leaves_out_of_what_it_forbids(claim, source):
    assert grants(parse_wording(claim), parse_wording(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Cats are allowed.", "No animals are allowed other than dogs."),
        ("The Tenant must keep a dog.", "The Tenant must not keep any animal except a dog."),
        ("The lodger may keep a dog.", "The Tenant must not keep any animal except a dog."),
        (
            "The Tenant may keep a dog.",
            "The Tenant must not keep any animal except a dog with the consent of the Landlord.",
        ),
        ("The Tenant may keep a dog.", "The Tenant must not keep any animal except a dog, if it is small."),
        ("The Tenant may keep a dog.", "The Tenant must not keep any animal except a dog, after a written request."),
        ("The Tenant may keep a dog.", "If the lease is short, the Tenant must not keep any animal except a dog."),
        ("Dogs are not allowed.", "No animals are allowed other than dogs."),
        ("Dogs are allowed.", "All animals are allowed other than dogs."),
    ],
)
def test_source_allows_no_more_than_it_leaves_out(claim, source):
    assert not grants(parse_wording(claim), parse_wording(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The deposit is not refundable.", "No fee is payable other than the deposit, which is not refundable."),
        ("Animals are not allowed.", "Animals are not allowed, other than dogs."),
        ("No animals are allowed except dogs.", "No animals are allowed other than dogs."),
        (
            "Op vrijdag geeft Ellen les aan de groep.",
            "Joost heeft de groep, behalve op vrijdag; dan staat Ellen ervoor.",
        ),
    ],
)
def test_denial_of_something_else_is_not_compared_with_an_exception(claim, source):
    assert not list(find_exclusions(parse_wording(claim), parse_wording(source)))


def test_text_with_more_exclusions_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("All plants are allowed, except ivy. " * 20 + "All animals are allowed, except dogs.")
    assert not list(find_exclusions(parse_wording("Dogs are allowed."), source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The roofing may be subcontracted.", "Subcontracting is permitted, save for the roofing."),
        ("La cave est accessible.", "Toutes les salles sont accessibles, à l'exception de la cave."),
        ("Die Parkgebühren werden erstattet.", "Alle Kosten werden erstattet, mit Ausnahme der Parkgebühren."),
        ("Para empresas el uso es gratuito.", "El uso es gratuito, excepto para las empresas."),
        ("Le spese di parcheggio sono rimborsate.", "Sono rimborsate tutte le spese, escluse quelle di parcheggio."),
        ("Os bolseiros pagam propinas.", "Todos os alunos pagam propinas, exceto os bolseiros."),
        ("Parkeerkosten worden vergoed.", "Alle kosten worden vergoed, met uitzondering van parkeerkosten."),
        ("Детей пускают бесплатно.", "Всех пускают бесплатно, кроме детей."),
        ("월요일에 문을 연다.", "월요일을 제외하고 매일 문을 연다."),
        ("La caccia è vietata nelle riserve private.", "La caccia è vietata, tranne nelle riserve private."),
    ],
)
def test_claim_about_what_a_source_leaves_out_does_not_agree_with_it(claim, source):
    assert [item.is_agreed for item in find_exclusions(parse_wording(claim), parse_wording(source))] == [False]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The roofing may not be subcontracted.", "Subcontracting is permitted, save for the roofing."),
        ("La cave n'est pas accessible.", "Toutes les salles sont accessibles, à l'exception de la cave."),
        ("Die Parkgebühren werden nicht erstattet.", "Alle Kosten werden erstattet, mit Ausnahme der Parkgebühren."),
        ("Parkeerkosten worden niet vergoed.", "Alle kosten worden vergoed, met uitzondering van parkeerkosten."),
        (
            "Clothing isn't replaced new for old.",
            "We replace new for old, except for clothing and household linen, for which wear is deducted.",
        ),
        ("Kleidung wird nicht ersetzt.", "Alles wird ersetzt, ausgenommen Kleidung und Wäsche."),
        ("I soci onorari non hanno diritto di voto.", "Tutti i soci hanno diritto di voto, salvo i soci onorari."),
    ],
)
def test_claim_that_denies_what_a_source_leaves_out_of_what_it_grants_agrees_with_it(claim, source):
    assert find_denied_exclusion(claim, source)
    assert all(item.is_agreed for item in find_exclusions(parse_wording(claim), parse_wording(source)))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Furniture isn't replaced new for old.", "We replace new for old, except for clothing and household linen."),
        ("The cellar is not cleaned.", "All rooms are cleaned, except the attic."),
        ("The attic is cleaned.", "All rooms are cleaned, except the attic."),
        ("Dogs are allowed.", "No animals are allowed other than dogs."),
    ],
)
def test_other_claim_denies_nothing_that_a_source_leaves_out(claim, source):
    assert find_denied_exclusion(claim, source) is None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The pharmacy is open on Sunday.", "All shops are closed on Sunday, except the pharmacy."),
        ("De apotheek is op zondag open.", "Alle winkels zijn op zondag gesloten, behalve de apotheek."),
    ],
)
def test_what_is_left_out_of_what_is_closed_is_open(claim, source):
    assert all(item.is_agreed for item in find_exclusions(parse_wording(claim), parse_wording(source)))
