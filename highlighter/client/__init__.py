"""A Python client of the API: a method for each operation, typed results, and one error.

>>> from highlighter.client import Client
>>> with Client("https://papers.example", key="hk_...") as papers:                # doctest: +SKIP
...     print(papers.ask("Who pays for delay?").text)
"""

from __future__ import annotations

from highlighter.client.client import Client
from highlighter.client.transport import ApiError, Step
from highlighter.webhooks.signatures import WrongSignature, verify_webhook

__all__ = ["ApiError", "Client", "Step", "WrongSignature", "verify_webhook"]
