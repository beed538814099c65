"""The joint model: MiniLM reading question and sentences together, and a logit for each sentence and for "none"."""

from __future__ import annotations

import torch
from torch import nn

from highlighter.embedding.bundled_model import find_original_model
from highlighter.evidence.joint_model import TOKEN_KIND_COUNT


class JointModel(nn.Module):
    def __init__(self, vocabulary: int, layers: int = 6):
        super().__init__()
        from transformers import BertModel

        # Little more than one epoch is seen: dropout would protect from nothing, and makes attention three times slower.
        self.body = BertModel.from_pretrained(
            find_original_model(),
            attn_implementation="sdpa",
            add_pooling_layer=False,
            attention_probs_dropout_prob=0.0,
            hidden_dropout_prob=0.0,
        )
        self.body.encoder.layer = self.body.encoder.layer[:layers]
        width = self.body.config.hidden_size
        self._widen(vocabulary)
        self.kinds = nn.Embedding(TOKEN_KIND_COUNT, width)
        nn.init.zeros_(self.kinds.weight)
        self.answer = nn.Linear(width, 1)
        self.head = nn.Sequential(nn.Linear(2 * width, 256), nn.GELU(), nn.Linear(256, 1))
        self.none = nn.Linear(width, 1)
        self.peak = nn.Parameter(torch.tensor(0.3))

    def _widen(self, vocabulary: int) -> None:
        old = self.body.embeddings.word_embeddings.weight.data
        new = nn.Embedding(vocabulary, old.shape[1], padding_idx=0)
        new.weight.data[: len(old)] = old
        drawn = torch.randn(vocabulary - len(old), old.shape[1], generator=torch.Generator().manual_seed(0))
        new.weight.data[len(old) :] = drawn * old.std(0) + old.mean(0)
        self.body.embeddings.word_embeddings = new

    def forward(self, ids, kinds, owners):
        """(batch, pieces) each, owners -1 outside sentences and -2 for padding -> none, sentences, pieces."""
        embedded = self.body.embeddings.word_embeddings(ids) + self.kinds(kinds)
        hidden = self.body(inputs_embeds=embedded, attention_mask=(owners > -2).long()).last_hidden_state
        count = int(owners.max()) + 1
        member = (owners.unsqueeze(1) == torch.arange(count, device=owners.device).view(1, -1, 1)).to(hidden.dtype)
        return self.pooled(hidden, member)

    def pooled(self, hidden, member):
        sizes = member.sum(2, keepdim=True).clamp(min=1)
        mean = member @ hidden / sizes
        first = hidden[:, :1].expand(-1, member.shape[1], -1)
        pieces = self.answer(hidden).squeeze(2)
        spread = torch.where(member > 0, pieces.unsqueeze(1).float(), torch.tensor(-30.0))
        sentences = self.head(torch.cat([mean, first], 2)).squeeze(2) + self.peak * torch.logsumexp(spread, 2)
        return self.none(hidden[:, 0]).squeeze(1), sentences, pieces
