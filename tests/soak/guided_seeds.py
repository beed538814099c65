"""The Word file within which document parts are invented."""

from tests.conftest import SAMPLES

WORD_FILE = SAMPLES / "HR Policy - Leave and Flexible Working.docx"
DOCUMENT_PART = "word/document.xml"
