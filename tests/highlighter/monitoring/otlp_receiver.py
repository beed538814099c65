"""A receiver of traces: OTLP over HTTP, as a collector takes them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class TraceReceiver:
    """The spans received so far, in the order in which they ended."""

    def __init__(self, url: str):
        self.url = url
        self.spans: list[Span] = []

    def find(self, name: str) -> Span:
        return next(span for span in self.spans if span.name == name)

    def find_parent(self, span: Span) -> Span | None:
        return next((other for other in self.spans if other.span_id == span.parent_span_id), None)


@contextmanager
def receiving_traces() -> Iterator[TraceReceiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/traces"
            receiver.spans += [
                span for resource in body.resource_spans for scope in resource.scope_spans for span in scope.spans
            ]
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()
            self.wfile.write(ExportTraceServiceResponse().SerializeToString())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = TraceReceiver(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
