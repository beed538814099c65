"""python -m highlighter citations: where the citations of any vendor's response lead here."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error

if TYPE_CHECKING:
    from highlighter.schemas.native_citations import NativeCitationOut, NativeCitationsResponse
    from highlighter.services import Services

SUMMARY = "open the citations of any vendor's response"
EXAMPLES = """examples:
  python -m highlighter citations response.json
  python -m highlighter citations stream.txt --json | jq -r '.responses[].citations[].place.links.view'
  python -m highlighter citations documents.json --answer answer.txt
  python -m highlighter citations answer.md --source contract.pdf --source minutes.docx
  curl -s https://api.example/v1/messages ... | python -m highlighter citations -

The file is the response as it came, its format is recognised: Anthropic, OpenAI (responses, assistants, chat), Gemini, Vertex AI, Cohere,
Perplexity, Mistral, Bedrock, Azure, Open WebUI, LangChain, LlamaIndex, Haystack, RAGFlow, Vercel AI SDK; JSON, a stream of events, or a text
with markers and --source. Each citation is opened in the documents here; nothing is fetched from anywhere.

exit status: 0 every citation was opened, 1 some were not, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the response; - reads standard input")
    parser.add_argument("--answer", type=Path, metavar="FILE", help="the answer's text, where the response has none")
    parser.add_argument(
        "--source",
        action="append",
        metavar="NAME",
        default=[],
        help="a source of the answer, in the order of their numbers",
    )
    parser.add_argument("--no-check", action="store_true", help="give no verdicts: faster")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/citations/native")


def run(services: Services, options: argparse.Namespace) -> int:
    try:
        text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
        answer = options.answer.read_text(encoding="utf-8") if options.answer else ""
    except (OSError, UnicodeDecodeError) as err:
        return print_usage_error(f"The response cannot be read: {err}")
    if not text.strip():
        return print_usage_error("The response is empty.")
    result = _open_citations(services, text, answer, options)
    print(result.model_dump_json(indent=2) if options.json else _format_result(result))
    return 0 if all(one.place for response in result.responses for one in response.citations) else 1


def _open_citations(services: Services, text: str, answer: str, options: argparse.Namespace) -> NativeCitationsResponse:
    has_check = not options.no_check
    with connect_remote(services) as client:
        if client:
            return client.open_citations(text, answer=answer, sources=options.source, check=has_check)
    from highlighter.native_citations.opener import NativeRequest
    from highlighter.serializers.native_citations import serialize_native_responses
    from highlighter.urls import Links

    request = NativeRequest(text, answer, tuple(options.source), has_check)
    opened = services.citation_opener.open(request, get_visible_collections())
    return serialize_native_responses([opened], Links(services.settings.public_url))


def _format_result(result: NativeCitationsResponse) -> str:
    lines = []
    for response in result.responses:
        lines.append(f"{response.format}: {response.opened} of {len(response.citations)} citations opened")
        for citation in response.citations:
            lines += _format_citation(citation)
        if response.note:
            lines.append(response.note)
    return "\n".join(lines)


def _format_citation(citation: NativeCitationOut) -> list[str]:
    marker = f" {citation.marker.text}" if citation.marker else ""
    cited = " ".join(citation.cited.text.split()) if citation.cited else citation.source.name
    lines = [f"{cited}{marker}"]
    if citation.place:
        verdict = f", {citation.verdict}" if citation.verdict else ""
        lines.append(f"    {citation.tier}: {citation.place.name}, page {citation.place.page}{verdict}")
        lines += [f"    {' '.join(sentence.text.split())}" for sentence in citation.sentences[:1]]
        lines.append(f"    {citation.place.links['view']}")
    if citation.reason:
        lines.append(f"    {citation.reason}")
    lines += [f"    perhaps: {candidate.name}, page {candidate.page}" for candidate in citation.candidates]
    return lines
