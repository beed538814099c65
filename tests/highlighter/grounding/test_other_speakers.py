"""What a correspondent says of herself is said of nobody else."""

import pytest

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.correspondence import find_correspondence
from highlighter.grounding.entailment import Entailment
from highlighter.grounding.other_speakers import explain_other_speaker
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.wording import parse_wording

THREAD = """From: Marta Vinogradova <marta@delta.example>
To: Tom Ashby <t.ashby@ridge.example>, Ines Caldeira

Hi Tom,

I can confirm 24 November for four units. Ines will send the packing list.

On Wed, 15 Oct 2025 at 17:05, Tom Ashby wrote:
> I am on leave from 27 October. Priya Nair covers for me.
> Please deliver all units.
>
> On Tue, 14 Oct 2025, Marta Vinogradova <marta@delta.example> wrote:
>> We plan to deliver the units on 10 November.
"""
GERMAN = (
    "Von: Jana Wolf\nAn: Peter Lang\n\nDas geht.\n\nAm 3. Mai schrieb Peter Lang:\n> Ich bin bis Freitag im Urlaub.\n"
)


@pytest.mark.parametrize(
    ("claim", "source", "deciding", "why"),
    [
        ("Marta is on leave from 27 October.", THREAD, "leave", "The source says “Tom Ashby” where the claim says “Marta Vinogradova”."),
        ("Tom is on leave from 27 October.", THREAD, "leave", ""),
        ("Priya Nair covers for Tom.", THREAD, "Priya", ""),
        ("The manager is on leave from 27 October.", THREAD, "leave", ""),
        ("Marta confirmed 24 November for four units.", THREAD, "confirm", ""),
        ("Tom confirmed 24 November for four units.", THREAD, "confirm", "The source says “Marta Vinogradova” where the claim says “Tom Ashby”."),
        ("Ines will send the packing list.", THREAD, "Ines", ""),
        ("Marta planned to deliver the units on 10 November.", THREAD, "plan", ""),
        ("Tom planned to deliver the units on 10 November.", THREAD, "plan", "The source says “Marta Vinogradova” where the claim says “Tom Ashby”."),
        ("Marta is on leave.", "I am on leave, says Tom.", "leave", ""),
        ("Jana Wolf ist bis Freitag im Urlaub.", GERMAN, "Urlaub", "The source says “Peter Lang” where the claim says “Jana Wolf”."),
        ("Peter Lang ist bis Freitag im Urlaub.", GERMAN, "Urlaub", ""),
    ],
)  # fmt: skip
def test_who_says_i_is_who_speaks_there(claim, source, deciding, why):
    index = SourceIndex([source])
    position = next(number for number, sentence in enumerate(index.sentences) if f" {deciding}" in f" {sentence.text}")
    reading = ClaimReading(parse_wording(claim), index, (position,), (position,), Entailment(0.9, 0.0, (0.9,)))
    assert explain_other_speaker(reading) == why


def test_text_without_senders_has_no_speakers():
    assert find_correspondence("To: the reader\n> quoted\nHe wrote\n") == ((), ())
