"""The samples of Prometheus's text format, for tests."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


def parse_metrics(text: str) -> dict[str, dict[tuple[str, ...], float]]:
    """Return the value of each sample by the name of the metric and the values of its labels, in the order of their names."""
    values: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = tuple(value for _, value in sorted(sample.labels.items()))
            assert labels not in values.setdefault(sample.name, {}), sample  # Prometheus would refuse all of it
            values[sample.name][labels] = sample.value
    return values
