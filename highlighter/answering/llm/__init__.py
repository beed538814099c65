"""Clients of language models: one limited connection for each call, through the SDKs, with errors of our own."""
