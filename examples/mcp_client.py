"""python -m examples.mcp_client "Who pays for delay?": use the tools as an assistant does, with the client of the MCP SDK.

It starts `python -m highlighter mcp` as an assistant would: over DATA_DIR, or over HIGHLIGHTER_URL where that is set.
"""

from __future__ import annotations

import os
import sys

import anyio
from mcp import StdioServerParameters, stdio_client
from mcp.client.client import Client


async def main(question: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "highlighter", "mcp"], env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        print("Tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        found = (await client.call_tool("search", {"question": question, "limit": 3})).structured_content
        for passage in found["passages"]:
            print(f"\n{passage['name']}, page {passage['sentences'][0]['page']}: {passage['sentences'][0]['text']}")
            print(passage["links"]["self"])


if __name__ == "__main__":
    anyio.run(main, " ".join(sys.argv[1:]) or "How much is paid for each day of delay?")
