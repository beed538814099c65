"""The lock files name every package that the service requires, in the tested versions, with hashes, and no CUDA."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser.serving import ROOT
from tests.packaging.licences import read_locked_packages
from tests.packaging.test_requirements import read_pins

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXCLUDED = {"torch", *PROJECT["tool"]["uv"]["exclude-dependencies"]}  # torch is installed before the lock
(IMAGE_EXTRAS,) = re.findall(r"^IMAGE_EXTRAS := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
LOCKS = ("requirements.lock", "deploy/image.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_hashes(lock):
    entries = re.split(r"^(?=[\w.-]+==)", (ROOT / lock).read_text(encoding="utf-8"), flags=re.M)[1:]
    assert len(entries) > 100
    assert [entry[:60] for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}$", entry, re.M)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_the_pinned_versions(lock):
    """If this fails: `make lock`."""
    locked = read_locked_packages(lock)
    pins = {name: version for name, version in read_pins("requirements.txt").items() if name not in EXCLUDED}
    if lock == "requirements.lock":
        assert set(pins) <= set(locked)
    assert {name: locked[name] for name in pins if name in locked} == {
        name: {version} for name, version in pins.items() if name in locked
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_is_complete(lock):
    """The locks are installed with --no-deps, which would leave out what a lock forgot."""
    locked = set(read_locked_packages(lock))
    required = set()
    for package in read_locked_packages(lock, installed=True):
        required |= find_required(metadata.requires(package) or ())
    assert required - locked - EXCLUDED == set()


def test_image_lock_has_what_the_service_and_its_extras_require():
    project = PROJECT["project"]
    wanted = list(project["dependencies"])
    for extra in IMAGE_EXTRAS.split():
        wanted += project["optional-dependencies"][extra]
    locked = read_locked_packages("deploy/image.lock")
    for requirement in map(Requirement, [*wanted, *PROJECT["build-system"]["requires"]]):
        versions = locked[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_nothing_of_cuda(lock):
    assert [
        name for name in read_locked_packages(lock) if name in EXCLUDED or name.startswith(("nvidia", "cuda"))
    ] == []


def test_each_exception_to_the_audit_has_its_reason():
    lines = (ROOT / "deploy" / "advisories.txt").read_text(encoding="utf-8").splitlines()
    exceptions = [line for line in lines if line and not line.startswith("#")]
    assert exceptions
    assert [line for line in exceptions if not re.fullmatch(r"(CVE|GHSA|PYSEC)-[\w-]+  \w.{30,}\.", line)] == []


def find_required(requirements) -> set[str]:
    environment = {**default_environment(), "extra": ""}
    parsed = map(Requirement, requirements)
    return {canonicalize_name(one.name) for one in parsed if one.marker is None or one.marker.evaluate(environment)}
