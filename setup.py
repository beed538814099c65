"""The packages of the wheel. Everything else about the build is in pyproject.toml.

Templates, static files and samples stand at the top of the repository and inside the package when installed:
highlighter/resources.py finds them in both places.
"""

from setuptools import find_packages, setup

RESOURCE_FOLDERS = ("templates", "static", "samples")

setup(
    packages=[
        *find_packages(include=["highlighter", "highlighter.*", "ingest", "ingest.*"]),
        *(f"highlighter.{folder}" for folder in RESOURCE_FOLDERS),
    ],
    package_dir={f"highlighter.{folder}": folder for folder in RESOURCE_FOLDERS},
)
