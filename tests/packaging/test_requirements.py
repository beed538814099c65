"""The dependencies in pyproject.toml agree with the pinned versions in the requirements files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser.serving import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FILE_BY_EXTRA = {
    "mcp": "adapters",
    "langchain": "adapters",
    "llamaindex": "adapters",
    "haystack": "adapters",
    "fastapi": "adapters",
    "dev": "dev",
}


def read_pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pins = (
        Requirement(line.partition("#")[0]) for line in lines if line.partition("#")[0].strip(" ") and line[0] != "-"
    )
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}


def assert_pinned(requirements: Iterable[str], pins: dict[str, str]) -> set[str]:
    parsed = [Requirement(line) for line in requirements]
    for requirement in parsed:
        version = pins.get(canonicalize_name(requirement.name), "")
        assert requirement.specifier.contains(version), (requirement, version)
    return {canonicalize_name(requirement.name) for requirement in parsed}


def test_core_dependencies_allow_the_tested_versions():
    assert_pinned(PROJECT["dependencies"], read_pins("requirements.txt"))


def test_pins_can_be_constraints():
    """pip refuses constraints with extras, and `pip install -c requirements.txt` is documented."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "[" in line.partition("#")[0]] == []


def test_every_pinned_package_is_in_the_core_or_an_extra():
    names = assert_pinned(PROJECT["dependencies"], read_pins("requirements.txt"))
    for extra in (
        "sentence-transformers",
        "postgresql",
        "openai",
        "anthropic",
        "redis",
        "tracing",
        "export",
        "s3",
        "dask",
        "oidc",
    ):
        names |= assert_pinned(EXTRAS[extra], read_pins("requirements.txt"))
    assert names == set(read_pins("requirements.txt"))


@pytest.mark.parametrize(("extra", "file"), FILE_BY_EXTRA.items())
def test_extras_allow_the_tested_versions(extra, file):
    assert_pinned(EXTRAS[extra], read_pins(f"requirements-{file}.txt"))


def test_development_extra_names_every_development_package():
    assert assert_pinned(EXTRAS["dev"], read_pins("requirements-dev.txt")) == set(read_pins("requirements-dev.txt"))
