"""An answer with each cited sentence in a frame, for UIs written in Python. Needs the standard library only.

Used by `streamlit_app.py` and `gradio_app.py`; copy it into your own application. The key stays on the server.
"""

from __future__ import annotations

import html
import json
import os
import urllib.request

MAX_FRAMES = 3


def call_api(path: str, body: dict) -> dict:
    """Call the API at HIGHLIGHTER_URL."""
    key = os.environ.get("HIGHLIGHTER_KEY", "")
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    address = os.environ.get("HIGHLIGHTER_URL", "http://127.0.0.1:8000").rstrip("/") + path
    with urllib.request.urlopen(
        urllib.request.Request(address, json.dumps(body).encode(), headers), timeout=120
    ) as response:
        return json.load(response)


def answered(question: str, origin: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the answer's text, and (title, signed link) for each citation; pages of `origin` may frame the links.

    Check here whether the user may see these documents.
    """
    answer = call_api("/api/v1/answers", {"question": question})
    cited = {(item["document_id"], item["quote_start"]): item for item in answer["citations"] if item["document_id"]}
    return answer["text"], [
        (f"{item['filename']}, page {item['page']}", link(item, origin)) for item in list(cited.values())[:MAX_FRAMES]
    ]


def link(citation: dict, origin: str) -> str:
    span = {"start": citation["quote_start"], "end": citation["quote_end"]}
    body = {"document_id": citation["document_id"], **span, "origins": [origin], "expires_in": 3600}
    return call_api("/api/v1/embed/links", body)["url"]


def frame(url: str, title: str, height: int = 420) -> str:
    """Return the HTML of a frame with its title above it."""
    title = html.escape(title)
    sandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
    return (
        f'<p style="margin:1em 0 .4em">{title}</p>'
        f'<iframe src="{html.escape(url)}" title="{title}" sandbox="{sandbox}" loading="lazy" '
        f'style="width:100%;height:{height}px;border:1px solid #8886;border-radius:8px"></iframe>'
    )
