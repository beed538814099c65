"""Which files the check of rectangles takes, and under which kind it counts them."""

from bench.rectangle_accuracy import SAMPLES, _list_files


def test_files_of_every_kind_that_can_be_read_are_listed_by_kind(tmp_path):
    names = ["a.pdf", "a.docx", "a.TXT", "a.html", "a.epub", "a.eml", "a.xlsx", "notes.bin"]
    for name in names:
        (tmp_path / name).touch()
    listed = {(kind, path.name) for kind, path in _list_files(tmp_path) if path.parent != SAMPLES}
    assert listed == {
        ("prose", "a.pdf"),
        ("docx, txt", "a.docx"),
        ("docx, txt", "a.TXT"),
        ("html", "a.html"),
        ("epub", "a.epub"),
        ("eml", "a.eml"),
        ("xlsx", "a.xlsx"),
    }
