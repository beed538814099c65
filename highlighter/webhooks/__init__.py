"""Webhooks: addresses that are told what happens to documents and answers, as Standard Webhooks describes it."""
