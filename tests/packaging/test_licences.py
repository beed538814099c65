"""Everything that is carried or installed has a licence that is written down, and the bill of materials names it."""

from __future__ import annotations

from highlighter import __version__
from tests.packaging.bill_of_materials import IMAGE_LOCK, build_bill
from tests.packaging.licences import (
    CARRIED,
    LICENCES_BY_PACKAGE,
    LOCKS,
    PAGE,
    find_carried,
    find_licence,
    list_files,
    read_locked_packages,
    write_page,
)

# Whoever changes and passes on these libraries passes on their source; the service may be under any licence.
WEAK_COPYLEFT = {"psycopg", "psycopg-binary"}


def test_page_is_current():
    """If this fails: `make licences`."""
    assert PAGE.read_text(encoding="utf-8") == write_page()


def test_each_carried_file_has_its_origin_and_licence():
    files = list(list_files())
    assert [path for path in files if find_carried(path) is None] == []
    assert {find_carried(path) for path in files} == set(CARRIED)


def test_each_package_states_a_licence_that_a_service_may_use():
    licences = {package: find_licence(package) for package in read_locked_packages(*LOCKS)}
    assert [package for package, licence in licences.items() if not licence] == []
    assert {package for package, licence in licences.items() if "GPL" in licence.upper()} == WEAK_COPYLEFT


def test_packages_of_other_systems_are_listed():
    """What is not installed here states no licence here: without an entry, the page could only be written elsewhere."""
    elsewhere = set(read_locked_packages(*LOCKS)) - set(read_locked_packages(*LOCKS, installed=True))
    assert elsewhere <= set(LICENCES_BY_PACKAGE)


def test_bill_of_materials_has_locked_packages_with_hashes_and_models():
    installed = {
        "metadata": {"component": {"bom-ref": "root"}},
        "components": [
            {"bom-ref": "flask", "name": "Flask", "version": "3.1.3"},
            {"bom-ref": "pytest", "name": "pytest", "version": "9.2.0"},
        ],
        "dependencies": [{"ref": "flask", "dependsOn": ["pytest"]}, {"ref": "pytest"}],
    }
    bill = build_bill(installed)
    names = [one["name"] for one in bill["components"]]
    assert "pytest" not in names
    by_name = {one["name"]: one for one in bill["components"]}
    flask_hashes = [one for one in by_name["Flask"]["properties"] if one["name"] == "highlighter:allowed-sha256"]
    assert len(flask_hashes) == 2  # the wheel and the source archive
    assert len(by_name) == len(bill["components"])
    assert set(read_locked_packages(IMAGE_LOCK, installed=True)) <= {name.lower() for name in names}
    only_in_image = by_name["mcp"]
    assert {"highlighter:installed-by", "highlighter:allowed-sha256"} == {
        one["name"] for one in only_in_image["properties"]
    }
    assert only_in_image["purl"] == f"pkg:pypi/mcp@{only_in_image['version']}"
    assert only_in_image["bom-ref"] in bill["dependencies"][-1]["dependsOn"]
    assert "highlighter/embedding/models/multilingual-e5-small/encoder.onnx" in names
    assert bill["metadata"]["component"]["version"] == __version__
    assert {"ref": "flask", "dependsOn": []} in bill["dependencies"]
