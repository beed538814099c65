"""A works contract: two columns, numbered clauses, a table, running head and page numbers."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.platypus import FrameBreak, NextPageTemplate, Paragraph, Spacer

from .contract_words import CLAUSES, HYPHENATED, PARTIES, SCHEDULE, SUBTITLE, TITLE
from .paper import Faces, build, build_head_and_foot, frame, insert_soft_hyphens, page, ruled_table, style

NAME = "Harbour Works Contract.pdf"
HEAD = "Skerry Point Harbour Works · Contract SP/118"

QUESTIONS = [
    (
        "When must the Contractor give an early warning?",
        (
            "An early warning is given within two working days of the matter becoming known, even where its effect cannot "
            "yet be measured."
        ),
    ),
    (
        "How much does the Contractor pay for each day of delay?",
        "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200.",
    ),
    (
        "Who carries the risk of damage by waves until the works are taken over?",
        (
            "9.1 Until a part of the works is taken over the Contractor carries the risk of loss of or damage to it, including "
            "damage by waves, and makes the damage good at its own cost."
        ),
    ),
    (
        "May work be done at night in the seal pupping season?",
        (
            "3.4 No percussive piling is done between sunset and sunrise during the seal pupping season, which for this contract "
            "runs from 1 September to 30 November."
        ),
    ),
    (
        "How long do the parties have to take a dispute to the adjudicator?",
        (
            "A dispute that is not referred within four weeks of the notice can no longer be referred to the Adjudicator or "
            "to the tribunal."
        ),
    ),
]


def write(folder: Path, faces: Faces) -> None:
    width, top = (210 - 2 * 24 - 9) / 2 * mm, 28 * mm
    columns = [frame(24 * mm, width), frame(24 * mm + width + 9 * mm, width)]
    below_title = [
        frame(24 * mm, 162 * mm, bottom=297 * mm - 24 * mm - top, height=top),
        *(frame(column.x1, width, height=297 * mm - 24 * mm - top - 22 * mm) for column in columns),
    ]
    draw = build_head_and_foot(24 * mm, faces.sans, HEAD, "Page {page} of {pages}")
    build(
        folder / NAME,
        TITLE,
        lambda: _story(faces, width),
        [page("title", below_title, draw), page("columns", columns, draw)],
    )


def _story(faces: Faces, width: float) -> list:
    body = style(faces.serif, 11, 15.6, justified=True, after=6)
    clause = style(faces.serif_bold, 11.6, 16, before=9, after=4, keep=True)
    story = [
        NextPageTemplate("columns"),
        Paragraph(TITLE, style(faces.serif_bold, 19, 24, after=3)),
        Paragraph(SUBTITLE, style(faces.serif_italic, 11, 14, after=6)),
        FrameBreak(),
    ]
    story += [Paragraph(insert_soft_hyphens(text, HYPHENATED), body) for text in PARTIES]
    for heading, paragraphs in CLAUSES:
        story.append(Paragraph(heading, clause))
        story += [Paragraph(insert_soft_hyphens(text, HYPHENATED), body) for text in paragraphs]
    cell = style(faces.serif, 8.8, 11)
    story += [
        Paragraph("Schedule 1: Prices and dates", clause),
        Spacer(0, 2),
        ruled_table(SCHEDULE, [width * share for share in (0.46, 0.26, 0.28)], cell, style(faces.serif_bold, 8.8, 11)),
    ]
    return story
