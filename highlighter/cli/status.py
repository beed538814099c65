"""python -m highlighter status: whether a running service is well, and what it is doing."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from highlighter.services import Services

SUMMARY = "ask a running service whether it is well, and what it is doing"
EXAMPLES = """examples:
  python -m highlighter status                       # the service on HOST:PORT, or at HIGHLIGHTER_URL
  python -m highlighter status https://documents.example.org
  python -m highlighter status --json

Figures need a key with the scope admin where the service asks for keys: HIGHLIGHTER_KEY.

exit status: 0 requests can be answered, 1 they cannot, or no service answers."""

TIMEOUT_SECONDS = 10
FORBIDDEN = (401, 403)


@dataclass
class Figures:
    """The figures of a service. The field names are keys of the JSON that `status` prints."""

    documents: dict[str, int] = field(default_factory=dict)  # by state
    waiting: int = 0
    oldest_seconds: int = 0
    index_pending: int = 0
    disk_free_bytes: int = 0
    requests: int = 0
    server_errors: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", nargs="?", default="", help="the address of the service")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    import httpx2

    settings = services.settings
    url = options.url.rstrip("/") or settings.service_url or f"http://{_format_host(settings.host)}:{settings.port}"
    key = settings.service_key.reveal()
    headers = {"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        with httpx2.Client(base_url=url, headers=headers, timeout=TIMEOUT_SECONDS) as client:
            readiness = _read_readiness(client.get("/readyz").json())
            measured = client.get("/metrics")
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as err:
        detail = str(err) or type(err).__name__
        print(f"No Highlighter answers at {url} ({detail}). Start it, or name its address.", file=sys.stderr)
        return 1
    figures = _read_figures(measured.text) if measured.status_code == 200 else None
    if options.json:
        print(json.dumps({"url": url, **readiness, "figures": figures and vars(figures)}, ensure_ascii=False))
    else:
        print(_format_status(url, readiness, figures, measured.status_code in FORBIDDEN))
    return 0 if readiness["ready"] else 1


def _read_readiness(body: Any) -> dict[str, Any]:
    """Return what `/readyz` said; raise ValueError when something else answered."""
    if isinstance(body, dict) and isinstance(body.get("ready"), bool) and isinstance(body.get("parts"), list):
        return body
    if isinstance(body, dict) and body.get("detail"):
        return {"ready": False, "parts": [{"name": "service", "status": "down", "detail": str(body["detail"])}]}
    raise ValueError("the answer is not Highlighter's")


def _format_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _read_figures(text: str) -> Figures:
    from prometheus_client.parser import text_string_to_metric_families

    figures, totals = Figures(), Counter[str]()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            totals[sample.name] += int(sample.value)
            if sample.name == "highlighter_documents":
                figures.documents[sample.labels["state"]] = int(sample.value)
            elif sample.name == "highlighter_requests_total" and sample.labels["status"].startswith("5"):
                figures.server_errors += int(sample.value)
    figures.waiting = totals["highlighter_queue_documents"]
    figures.oldest_seconds = totals["highlighter_queue_age_seconds"]
    figures.index_pending = totals["highlighter_index_pending_changes"]
    figures.disk_free_bytes = totals["highlighter_disk_free_bytes"]
    figures.requests = totals["highlighter_requests_total"]
    return figures


def _format_status(url: str, readiness: dict[str, Any], figures: Figures | None, is_forbidden: bool) -> str:
    lines = [f"{url} {'answers requests' if readiness['ready'] else 'cannot answer requests'}."]
    lines += [f"{part['name']:<10} {part['status']:<9} {part['detail']}".rstrip() for part in readiness["parts"]]
    if figures is None:
        return "\n".join(
            lines + (["figures    need a key with the scope admin: set HIGHLIGHTER_KEY"] if is_forbidden else [])
        )
    states = ", ".join(f"{count:,} {state}" for state, count in figures.documents.items()) or "none"
    waiting = f"{figures.waiting:,} waiting" + (
        f", the oldest for {figures.oldest_seconds:,} s" if figures.waiting else ""
    )
    return "\n".join(
        [
            *lines,
            f"documents  {states}; {waiting}",
            f"changes    {figures.index_pending:,} not in the index yet",
            f"free       {figures.disk_free_bytes / 2**30:,.1f} GiB of disk",
            f"requests   {figures.requests:,} since it started, {figures.server_errors:,} of them failed",
        ]
    )
