"""Makes a bill of materials of the service from that of a whole environment.

python -m tests.packaging.bill_of_materials build/environment.cdx.json dist/highlighter.cdx.json

cyclonedx-py lists what is installed, which in a working copy is also what tests need. This leaves what the locks name, adds the
hashes that they allow, what only the image installs, and the models, which are no packages.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from highlighter import __version__
from tests.browser.serving import ROOT
from tests.packaging.licences import find_carried, list_files, read_locked_packages

IMAGE_LOCK = "deploy/image.lock"
LOCKS = ("requirements.lock", IMAGE_LOCK)
MODEL_SUFFIXES = (".onnx", ".npy", ".npz")


def build_bill(environment: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of materials of the service."""
    names = {*read_locked_packages(*LOCKS), "torch"}
    hashes = read_hashes()
    packages = [one for one in environment["components"] if canonicalize_name(one["name"]) in names]
    packages += list_other_packages({canonicalize_name(one["name"]) for one in packages})
    for package in packages:
        allowed = hashes.get(f"{canonicalize_name(package['name'])}=={package['version']}", [])
        package["properties"] = [
            *package.get("properties", []),
            *({"name": "highlighter:allowed-sha256", "value": one} for one in allowed),
        ]
    models = list_models()
    root = {**environment["metadata"]["component"], "version": __version__}
    references = {one["bom-ref"] for one in packages}
    dependencies = [
        {"ref": one["ref"], "dependsOn": [other for other in one.get("dependsOn", []) if other in references]}
        for one in environment["dependencies"]
        if one["ref"] in references
    ]
    everything = sorted(references | {one["bom-ref"] for one in models})
    return {
        **environment,
        "metadata": {**environment["metadata"], "component": root},
        "components": [*packages, *models],
        "dependencies": [*dependencies, {"ref": root["bom-ref"], "dependsOn": everything}],
    }


def read_hashes() -> dict[str, list[str]]:
    """Return the hashes that the locks allow, by `name==version`."""
    hashes: dict[str, list[str]] = {}
    for lock in LOCKS:
        entries = re.split(r"^(?=[\w.-]+==)", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for entry in entries[1:]:
            found = hashes.setdefault(re.split(r"[\s;]", entry, maxsplit=1)[0], [])
            found += [one for one in re.findall(r"sha256:([0-9a-f]{64})", entry) if one not in found]
    return hashes


def list_other_packages(listed: set[str]) -> list[dict[str, Any]]:
    """Return as components what the image installs and this environment lacks."""
    return [
        {
            "type": "library",
            "bom-ref": f"{name}=={version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "properties": [{"name": "highlighter:installed-by", "value": IMAGE_LOCK}],
        }
        for name, versions in sorted(read_locked_packages(IMAGE_LOCK, installed=True).items())
        for version in sorted(versions)
        if name not in listed
    ]


def list_models() -> list[dict[str, Any]]:
    """Return the carried models as components."""
    components = []
    for path in list_files():
        carried = find_carried(path)
        if path.startswith("highlighter/") and path.endswith(MODEL_SUFFIXES) and carried:
            digest = hashlib.sha256((ROOT / path).read_bytes()).hexdigest()
            components.append({
                "type": "machine-learning-model",
                "bom-ref": path,
                "name": path,
                "version": __version__,
                "description": f"{carried.content}; {carried.origin}",
                "licenses": [{"license": {"name": carried.licence}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            })  # fmt: skip
    return components


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    bill = build_bill(json.loads(source.read_text(encoding="utf-8")))
    target.write_text(json.dumps(bill, indent=1), encoding="utf-8")
    print(f"{target}: {len(bill['components'])} components")
