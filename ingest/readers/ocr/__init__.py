"""Recognise the text of scanned pages with Tesseract, and read it from a searchable copy of the file."""

from ingest.readers.ocr.page_recognition import RecognisedPage, recognise_page
from ingest.readers.ocr.reader import find_unread_pages, read_recognised

__all__ = ["RecognisedPage", "find_unread_pages", "read_recognised", "recognise_page"]
