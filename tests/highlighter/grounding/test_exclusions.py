"""What a source leaves out of what it forbids."""

import pytest

from highlighter.grounding.exclusions import find_exclusions, grants
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
    ],
)
def test_denial_of_something_else_is_not_compared_with_an_exception(claim, source):
    assert not list(find_exclusions(parse_wording(claim), parse_wording(source)))


def test_text_with_more_exclusions_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("All plants are allowed, except ivy. " * 20 + "All animals are allowed, except dogs.")
    assert not list(find_exclusions(parse_wording("Dogs are allowed."), source))
