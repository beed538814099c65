"""PDF files. `read` is all that the rest of the house needs to know."""

from .read import read

__all__ = ["read"]
