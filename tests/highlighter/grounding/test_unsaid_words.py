"""Words of a sentence without which a claim says more than the sentence."""

import pytest

from highlighter.grounding.unsaid_words import find_unsaid_margin, find_unsaid_status


@pytest.mark.parametrize(
    ("claim", "sentence", "unsaid"),
    [
        ("Revenue in 2025 was €1.9 billion.", "We expect revenue of €1.9 billion in 2025.", "expect"),
        ("The Committee revoked the licence.", "The Committee recommended that the licence be revoked.", "recommended"),
        ("The Company opened ten shops.", "The Company plans to open ten shops.", "plans to"),
        ("Die Kommission entzog die Lizenz an Adler.", "Die Kommission empfahl, die Lizenz an Adler zu entziehen.", "empfahl"),
        # The claim says so in other words, or the sentence says it of something else.
        ("Revenue in 2025 will be €1.9 billion.", "We expect revenue of €1.9 billion in 2025.", None),
        ("The Committee proposed revoking the licence.", "The Committee recommended that the licence be revoked.", None),
        ("The Board approved the plan.", "The Board approved the plan that the auditor had recommended.", None),
        ("Sales rose to 40 million.", "Sales rose to 40 million, and are expected to rise to 45 million.", None),
        ("Revenue in 2024 was €1.8 billion.", "We expected revenue of €1.7 billion in 2024; revenue was €1.8 billion.", None),
        ("The Company opened ten shops.", "The Company plans to sell ten shops; it opened them in May.", None),
        ("Profit in 2024 was €9 million.", "Analysts expected a profit of €8 million, but profit in 2024 was €9 million.", None),
        ("Revenue in 2025 was €1.9 billion.", "As expected, revenue in 2025 was €1.9 billion.", None),
        ("Costs in 2025 were €5 million.", "The projects had costs in 2025 of €5 million.", None),
        ("Les pénalités sont de 50 euros par jour.", "Le contrat prévoit des pénalités de 50 euros par jour.", None),
        ("桥墩延误归因于水泥断供。", "桥墩比计划晚了三周，延误归因于水泥断供。", None),
        ("Die Lizenz an Adler wurde erteilt.", "Die beantragte Lizenz an Adler wurde erteilt.", None),
        ("The lease of the harbour shop ended.", "The lease of the harbour shop ended.", None),
    ],
)  # fmt: skip
def test_status_of_a_statement_that_a_claim_leaves_out(claim, sentence, unsaid):
    assert find_unsaid_status(claim, sentence) == unsaid


@pytest.mark.parametrize(
    ("claim", "unsaid"),
    [
        ("Interest is 4 per cent a year.", "above the base rate"),
        ("Interest is 4 per cent above the base rate.", None),
        ("Interest depends on the base rate and a margin of 4 per cent.", None),
        ("Interest is charged.", None),
    ],
)
def test_rate_beside_which_a_figure_stands(claim, unsaid):
    assert find_unsaid_margin(claim, "Interest accrues at 4 per cent a year above the base rate.") == unsaid
