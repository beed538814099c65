"""A language model's second opinion on a claim, for who sets LLM_JUDGE. It may only choose among our verdicts."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ValidationError

from highlighter.errors import HighlighterError
from highlighter.generation.chain import Chain
from highlighter.generation.prompting import Prompts
from highlighter.grounding.judging import Opinion
from highlighter.models import Source

log = logging.getLogger(__name__)

TOKENS = 300


class Verdict(BaseModel):
    claim: int
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]
    why: str = ""


class Verdicts(BaseModel):
    verdicts: list[Verdict]


class ModelJudge:
    def __init__(self, chain: Chain, prompts: Prompts):
        self.chain = chain
        self.prompts = prompts

    def __call__(self, claim: str, sentences: Sequence[str]) -> Opinion | None:
        """None, when it has none that can be read: the local check stands."""
        if not sentences:
            return None
        sources = [Source("", f"S{number}", text=text) for number, text in enumerate(sentences, 1)]
        try:
            messages = self.prompts.judge([claim], sources)
            reply = self.chain.complete(messages, max_tokens=TOKENS, temperature=0.0, schema=Verdicts)
            first = Verdicts.model_validate(json.loads(reply.text)).verdicts[0]
        except (HighlighterError, ValidationError, ValueError, IndexError, RecursionError) as err:
            log.warning("The judge gave no opinion: %s", type(err).__name__)
            return None
        return Opinion(first.verdict, first.why[:500])
