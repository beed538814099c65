"""Readers' notes on documents: where they are, also in later versions, and how they are exported."""
