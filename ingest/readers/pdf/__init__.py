"""Read PDF files. The rest of the project uses `read` only."""

from ingest.readers.pdf.reader import read

__all__ = ["read"]
