"""The version of this package, apart from what the package offers, so that any module may name it."""

__version__ = "0.1.0"
