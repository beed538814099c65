"""The server of the MCP SDK, with errors in one sentence, lists of resources page by page, and the scopes of keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import anyio
from pydantic import ValidationError

from highlighter.access import READ, get_current_principal
from highlighter.adapters import require_package
from highlighter.errors import HighlighterError, InsufficientScope

with require_package("mcp"):
    from mcp.server.context import ServerRequestContext
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
    from mcp.shared.exceptions import MCPError
    from mcp_types import (
        INVALID_PARAMS,
        CallToolResult,
        GetPromptResult,
        InputRequiredResult,
        ListResourcesResult,
        PaginatedRequestParams,
        Tool,
        ToolAnnotations,
    )

ResourceLister = Callable[[str], ListResourcesResult]


class LibraryServer(MCPServer[Any]):
    """A server whose resources are listed page by page, and whose tools answer a wrong call with one plain sentence."""

    def __init__(self, *, list_resources: ResourceLister, **options: Any):
        self._list_page_of_resources = list_resources
        super().__init__(**options)

    def register_tool(
        self, annotations: ToolAnnotations, scope: str = READ
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return a decorator that registers a function as a tool for those who have the scope. Its docstring is the description."""

        def register(work: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(work)
            def call_tool(**arguments: Any) -> Any:
                try:
                    if not get_current_principal().has_scope(scope):
                        raise InsufficientScope(scope)
                    return work(**arguments)
                except HighlighterError as err:
                    raise ToolError(err.detail) from err

            self.add_tool(call_tool, description=join_lines(work.__doc__ or ""), annotations=annotations)
            return work

        return register

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; raise ToolError with one sentence, without the names of classes and addresses that pydantic adds."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name in tools:
            _require_known_arguments(tools[name], arguments)
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as err:
            match err.__cause__:
                case ValidationError() as cause:
                    raise ToolError(_describe_argument_error(cause)) from cause
                case ToolError() as cause:
                    raise cause from err
            raise

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Return the messages of a prompt; raise an error that names what is missing, which the SDK would keep to itself."""
        prompts = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in prompts:
            raise MCPError(INVALID_PARAMS, f"There is no prompt {name!r}: there are {', '.join(prompts)}.")
        for argument in prompts[name].arguments or []:
            if argument.required and argument.name not in (arguments or {}):
                raise MCPError(INVALID_PARAMS, f"{argument.name} is missing.")
        return await super().get_prompt(name, arguments, context)

    async def _handle_list_resources(
        self, ctx: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """Return a page of the resources: the SDK's own list has no pages."""
        cursor = (params.cursor if params else None) or ""
        try:
            return await anyio.to_thread.run_sync(self._list_page_of_resources, cursor)
        except HighlighterError as err:
            raise MCPError(code=INVALID_PARAMS, message=err.detail) from err


def join_lines(text: str) -> str:
    """Return a text of several indented lines as one line."""
    return " ".join(text.split())


def _require_known_arguments(tool: Tool, arguments: dict[str, Any]) -> None:
    names = tool.input_schema["properties"]
    for unknown in arguments.keys() - names.keys():
        raise ToolError(f"{tool.name} has no argument {unknown!r}: it has {', '.join(names)}.")


def _describe_argument_error(err: ValidationError) -> str:
    """Return the first error as a sentence that begins with the argument, such as "sources.0.text is missing."."""
    error = err.errors()[0]
    name, context = ".".join(map(str, error["loc"])), error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"{name} is missing."
        case "string_too_short":
            return f"{name} is empty."
        case "extra_forbidden":
            return f"{name} is unknown."
        case "value_error":
            return f"{name}: {context.get('error', error['msg'])}."
        case _:
            return f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}."
