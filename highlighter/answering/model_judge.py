"""The second opinion of a language model on claims (LLM_JUDGE). It can only choose among our verdicts."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ValidationError

from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.errors import HighlighterError
from highlighter.grounding.judge import ExternalJudge, Opinion
from highlighter.models import Source

log = logging.getLogger(__name__)

MAX_JUDGE_TOKENS = 300


class JudgeVerdict(BaseModel):
    claim: int
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]
    why: str = ""


class JudgeVerdicts(BaseModel):
    verdicts: list[JudgeVerdict]


class CountedJudge:
    """A judge, with the claims on which it was asked and gave no opinion that could be read."""

    def __init__(self, judge: ExternalJudge):
        self.judge = judge
        self.unread_claims: set[str] = set()

    def __call__(self, claim: str, sentences: Sequence[str]) -> Opinion | None:
        opinion = self.judge(claim, sentences)
        if opinion is None and sentences:
            self.unread_claims.add(claim)
        return opinion


class ModelJudge:
    """A language model that judges claims."""

    def __init__(self, models: ModelFallback, prompt_builder: PromptBuilder):
        self.models = models
        self.prompt_builder = prompt_builder

    def __call__(self, claim: str, sentences: Sequence[str]) -> Opinion | None:
        """Return the model's opinion on a claim; None without a readable one, and the local check stands."""
        if not sentences:
            return None
        sources = [Source("", f"S{number}", text=text) for number, text in enumerate(sentences, 1)]
        try:
            messages = self.prompt_builder.build_judge_messages([claim], sources)
            reply = self.models.complete(messages, max_tokens=MAX_JUDGE_TOKENS, temperature=0.0, schema=JudgeVerdicts)
            verdict = JudgeVerdicts.model_validate(json.loads(reply.text)).verdicts[0]
        except (HighlighterError, ValidationError, ValueError, IndexError, RecursionError) as err:
            log.warning("The judge gave no opinion: %s", type(err).__name__)
            return None
        return Opinion(verdict.verdict, verdict.why[:500])
