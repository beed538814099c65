"""PDF files. `read` is all that the rest of the house needs to know."""

from ingest.readers.pdf.reader import read

__all__ = ["read"]
