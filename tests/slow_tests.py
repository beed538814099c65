"""The tests that `make test-fast` leaves out because they take long: `slow_tests.txt`, written from the report of a run.

    make test REPORT=report.xml
    python -m tests.slow_tests report.xml

A test whose parameters take less than `MAX_SECONDS` on average stays. Tests with the marker `slow` need no line.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from xml.etree import ElementTree

LIST = Path(__file__).with_suffix(".txt")
MAX_SECONDS = 0.4


def read_names() -> set[str]:
    """Return the listed tests, each as its file and function."""
    return set(LIST.read_text(encoding="utf-8").splitlines())


def find_slow_tests(report: Path) -> Iterator[str]:
    """Yield the tests that took long in a run, from its JUnit report."""
    seconds = defaultdict(list)
    for test in ElementTree.parse(report).getroot().iter("testcase"):
        file = test.attrib["classname"].replace(".", "/") + ".py"
        seconds[f"{file}::{test.attrib['name'].split('[')[0]}"].append(float(test.attrib["time"]))
    yield from sorted(name for name, each in seconds.items() if mean(each) > MAX_SECONDS)


def main(report: str) -> None:
    """Write the list."""
    names = list(find_slow_tests(Path(report)))
    LIST.write_text("\n".join(names) + "\n", encoding="utf-8")
    print(f"{len(names)} tests take more than {MAX_SECONDS} seconds: {LIST.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
