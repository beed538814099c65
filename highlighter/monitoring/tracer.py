"""Spans of OpenTelemetry around the steps of an answer. Without an endpoint they cost nothing, and nothing is imported.

Attributes are numbers, states and ids: never words of a document or of a question.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.version import __version__

SERVICE_NAME = "highlighter"
Item = TypeVar("Item")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


class TracingUnavailable(HighlighterError):
    """The error for a service that is to send traces and lacks the packages for it."""

    title = N_("Traces cannot be sent")
    detail = N_("To send traces, the service needs more packages: pip install 'highlighter[tracing]'.")


class Tracer:
    """The tracer of this process, which sends spans in batches once there is an endpoint."""

    def __init__(self) -> None:
        self._provider: Any = None
        self._tracer: Any = None

    def start(self, endpoint: str) -> None:
        """Send spans to an OTLP endpoint over HTTP from now on; raise TracingUnavailable without the packages."""
        try:
            exporter = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
            sdk = import_module("opentelemetry.sdk.trace")
            export = import_module("opentelemetry.sdk.trace.export")
            resources = import_module("opentelemetry.sdk.resources")
        except ImportError as err:
            raise TracingUnavailable from err
        resource = resources.Resource.create({"service.name": SERVICE_NAME, "service.version": __version__})
        self._provider = sdk.TracerProvider(resource=resource)
        spans = exporter.OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces")
        self._provider.add_span_processor(export.BatchSpanProcessor(spans))
        self._tracer = self._provider.get_tracer(SERVICE_NAME, __version__)

    def stop(self) -> None:
        """Send what is left, and start no further span."""
        provider, self._provider, self._tracer = self._provider, None, None
        if provider is not None:
            provider.shutdown()

    @contextmanager
    def span(self, name: str, **attributes: str | int | float | bool) -> Iterator[dict[str, Any]]:
        """Trace a step. What the block adds to the dictionary becomes attributes of the span."""
        results: dict[str, Any] = {}
        if self._tracer is None:
            yield results
            return
        with self._tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield results
            except BaseException as err:
                _mark_failed(span, err)
                raise
            finally:
                span.set_attributes(results)

    def traced(self, name: str) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
        """Trace each call of a function."""

        def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
            @wraps(function)
            def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
                with self.span(name):
                    return function(*args, **kwargs)

            return call

        return decorate

    def iterate(self, name: str, steps: Iterator[Item], **attributes: str) -> Iterator[Item]:
        """Return an iterator with a span from its first step to its end; what a step calls is traced below it."""
        if self._tracer is None:
            return steps
        context = import_module("opentelemetry.context")
        parent = context.get_current()  # of the request, which has ended when a stream is read
        return self._iterate_within(steps, name, attributes, context, parent)

    def _iterate_within(
        self, steps: Iterator[Item], name: str, attributes: dict[str, str], context: Any, parent: Any
    ) -> Iterator[Item]:
        span = self._tracer.start_span(name, context=parent, attributes=attributes)
        within = import_module("opentelemetry.trace").set_span_in_context(span, parent)
        try:
            while True:
                token = context.attach(within)  # only while a step runs: between two steps, the thread does other work
                try:
                    item = next(steps)
                except StopIteration:
                    return
                finally:
                    context.detach(token)
                yield item
        except Exception as err:
            _mark_failed(span, err)
            raise
        finally:
            if isinstance(steps, Generator):
                steps.close()
            span.end()


def _mark_failed(span: Any, error: BaseException) -> None:
    """Mark a span as failed by the type of the exception, as its message may quote a document."""
    span.set_status(import_module("opentelemetry.trace").StatusCode.ERROR)
    span.set_attribute("error.type", type(error).__name__)


tracer = Tracer()
