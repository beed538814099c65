"""The claim reader as PyTorch trains it: the multilingual encoder reads a claim and the sentences of a text together."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

HIDDEN_SIZE, HEAD_SIZE, VERDICT_COUNT = 384, 256, 3


class ClaimReader(nn.Module):
    """Reads `<s> claim </s> sentence </s> sentence </s>`: three logits for the claim, one for each sentence."""

    def __init__(self, layers: int = 12, attention: str = "eager", dropout: float = 0.0):
        """`dropout` is for trainings of many epochs."""
        super().__init__()
        from transformers import BertConfig, BertModel

        self.body = BertModel(
            BertConfig(
                vocab_size=4,
                hidden_size=HIDDEN_SIZE,
                num_hidden_layers=layers,
                num_attention_heads=12,
                intermediate_size=1536,
                max_position_embeddings=512,
                attn_implementation=attention,
                attention_probs_dropout_prob=dropout,
                hidden_dropout_prob=dropout,
            ),
            add_pooling_layer=False,
        )
        self.roles = nn.Embedding(2, HIDDEN_SIZE)
        nn.init.zeros_(self.roles.weight)
        self.verdict = nn.Sequential(
            nn.Linear(2 * HIDDEN_SIZE, HEAD_SIZE), nn.GELU(), nn.Linear(HEAD_SIZE, VERDICT_COUNT)
        )
        self.carries = nn.Sequential(nn.Linear(2 * HIDDEN_SIZE, HEAD_SIZE), nn.GELU(), nn.Linear(HEAD_SIZE, 1))

    def forward(self, embedded, owners, count: int | None = None):
        """Return the logits of the verdicts (entailed, neutral, contradicted) and of each sentence to decide it.

        `embedded` are the pieces' vectors; `owners` the position of each piece's sentence, -1 for the claim, -2 for
        padding. `count` is that of sentences: to look for it in `owners` makes a GPU wait.
        """
        hidden = self.body(
            inputs_embeds=embedded + self.roles((owners >= 0).long()), attention_mask=(owners > -2).long()
        ).last_hidden_state
        count = max(int(owners.max()) + 1, 1) if count is None else count
        member = (owners.unsqueeze(1) == torch.arange(count, device=owners.device).view(1, -1, 1)).to(hidden.dtype)
        return self.pool(hidden, member, (owners == -1).to(hidden.dtype))

    def pool(self, hidden, member, claim):
        first = hidden[:, 0]
        mean_claim = (claim.unsqueeze(1) @ hidden).squeeze(1) / claim.sum(1, keepdim=True)
        means = member @ hidden / member.sum(2, keepdim=True).clamp(min=1)
        spread = first.unsqueeze(1).expand(-1, means.shape[1], -1)
        return self.verdict(torch.cat([first, mean_claim], 1)), self.carries(torch.cat([means, spread], 2)).squeeze(2)


def compute_loss(verdicts, carries, batch):
    """Return the loss: of three classes, or of two where a data set tells only these, and of the deciding sentences."""
    log_probabilities = verdicts.log_softmax(1)
    not_entailed = torch.logsumexp(log_probabilities[:, 1:], 1)
    labels = batch["labels"]
    three_way = -log_probabilities.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    loss = torch.where(labels == 3, -not_entailed, three_way).mean()
    known = batch["carries"] >= 0
    of_sentences = F.binary_cross_entropy_with_logits(carries, batch["carries"].clamp(min=0), reduction="none")
    return loss + 0.2 * (of_sentences * known).sum() / known.sum().clamp(min=1)
