"""The joint model: MiniLM reads question and sentences together and gives a logit for each sentence and for "none"."""

from __future__ import annotations

import torch
from torch import nn

from highlighter.embedding.bundled_model import find_original_model
from highlighter.evidence.joint_model import TOKEN_KIND_COUNT


class JointModel(nn.Module):
    def __init__(self, vocabulary_size: int, layers: int = 6, dropout: float = 0.0, *, original: bool = True):
        """`dropout` is for trainings of many epochs: it slows attention threefold. Without `original`, weights follow."""
        super().__init__()
        from transformers import BertConfig, BertModel

        settings = {"attention_probs_dropout_prob": dropout, "hidden_dropout_prob": dropout}
        if original:
            folder = find_original_model()
            self.body = BertModel.from_pretrained(
                folder, attn_implementation="sdpa", add_pooling_layer=False, **settings
            )
        else:
            sizes = BertConfig(
                hidden_size=384,
                num_hidden_layers=layers,
                intermediate_size=1536,
                attn_implementation="sdpa",
                **settings,
            )
            self.body = BertModel(sizes, add_pooling_layer=False)
        self.body.encoder.layer = self.body.encoder.layer[:layers]
        width = self.body.config.hidden_size
        self._widen(vocabulary_size)
        self.kinds = nn.Embedding(TOKEN_KIND_COUNT, width)
        nn.init.zeros_(self.kinds.weight)
        self.answer = nn.Linear(width, 1)
        self.head = nn.Sequential(nn.Linear(2 * width, 256), nn.GELU(), nn.Linear(256, 1))
        self.none = nn.Linear(width, 1)
        self.peak = nn.Parameter(torch.tensor(0.3))

    def _widen(self, vocabulary_size: int) -> None:
        old = self.body.embeddings.word_embeddings.weight.data
        new = nn.Embedding(vocabulary_size, old.shape[1], padding_idx=0)
        new.weight.data[: len(old)] = old
        noise = torch.randn(vocabulary_size - len(old), old.shape[1], generator=torch.Generator().manual_seed(0))
        new.weight.data[len(old) :] = noise * old.std(0) + old.mean(0)
        self.body.embeddings.word_embeddings = new

    def forward(self, ids, kinds, sentence_positions, count: int | None = None):
        """Return the logits for "none", for each sentence and for each token.

        All arguments are (batch, tokens); sentence positions are -1 outside sentences and -2 for padding. `count` is
        that of sentences: to look for it makes a GPU wait.
        """
        embedded = self.body.embeddings.word_embeddings(ids) + self.kinds(kinds)
        hidden = self.body(inputs_embeds=embedded, attention_mask=(sentence_positions > -2).long()).last_hidden_state
        count = int(sentence_positions.max()) + 1 if count is None else count
        member = (
            sentence_positions.unsqueeze(1) == torch.arange(count, device=sentence_positions.device).view(1, -1, 1)
        ).to(hidden.dtype)
        return self.pool(hidden, member)

    def pool(self, hidden, member):
        """Return the logits for "none", for each sentence and for each token."""
        sizes = member.sum(2, keepdim=True).clamp(min=1)
        mean = member @ hidden / sizes
        first = hidden[:, :1].expand(-1, member.shape[1], -1)
        tokens = self.answer(hidden).squeeze(2)
        spread = torch.where(member > 0, tokens.unsqueeze(1).float(), -30.0)
        sentences = self.head(torch.cat([mean, first], 2)).squeeze(2) + self.peak * torch.logsumexp(spread, 2)
        return self.none(hidden[:, 0]).squeeze(1), sentences, tokens
