"""Read which marks stand around the text of a page: what several glyphs stand for together, and the structure's numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.pages import pdfium, pdfium_marks

_TEXT_OBJECT, _FORM_OBJECT = 1, 5
_MAX_FORM_DEPTH = 3
_MAX_OBJECTS = 20_000
_LAYER_MARK = "OC"

Bounds = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(slots=True)
class Replacement:
    """An ActualText, and the text objects that it stands for."""

    text: str
    objects: list[int] = field(default_factory=list)
    is_in_form: bool = False

    def measure(self) -> Bounds | None:
        """Return the bounds of the objects' ink on the page, or None when unknown."""
        bounds = [] if self.is_in_form else [box for obj in self.objects if (box := pdfium.read_object_bounds(obj))]
        inked = [box for box in bounds if box[2] > box[0]]
        if not inked:
            return None
        left, bottom, right, top = zip(*inked, strict=True)
        return min(left), min(bottom), max(right), max(top)


@dataclass(slots=True)
class MarkedContent:
    """The marked text objects of a page, by their addresses."""

    replacements: list[Replacement] = field(default_factory=list)
    replacement_by_object: dict[int, int] = field(default_factory=dict)
    content_ids: dict[int, int] = field(default_factory=dict)  # of text objects in the structure tree
    order: dict[int, int] = field(default_factory=dict)  # of all text objects as painted
    forms: set[int] = field(default_factory=set)  # text objects within form objects
    layered: set[int] = field(default_factory=set)  # text objects on a layer that can be switched off, except in forms


def read_marked_content(objects: list[tuple[int, int]]) -> MarkedContent:
    """Return the marks around the text among the objects of a page."""
    content = MarkedContent()
    _Reader(content).read_objects(objects, (), 0)
    return content


class _Reader:
    """A reader of the objects of a page, and of the forms among them."""

    def __init__(self, content: MarkedContent) -> None:
        self._content = content
        self._known_marks: dict[int, pdfium_marks.ContentMark] = {}
        self._replacement_by_mark: dict[int, int] = {}

    def read_objects(
        self, objects: list[tuple[int, int]], outer: tuple[pdfium_marks.ContentMark, ...], depth: int
    ) -> None:
        """Read objects that stand in the marks `outer`, in a form when `depth` is not 0."""
        marked = pdfium_marks.find_marked([obj for obj, kind in objects if kind == _TEXT_OBJECT])
        for obj, kind in objects:
            if kind == _TEXT_OBJECT:
                self._content.order[obj] = len(self._content.order)
                own_marks = pdfium_marks.read_marks(obj, self._known_marks) if obj in marked else []
                if depth:
                    self._content.forms.add(obj)
                elif own_marks and any(mark.name == _LAYER_MARK for mark in own_marks):
                    self._content.layered.add(obj)
                if own_marks or outer:
                    self._add_marks(obj, (*outer, *own_marks), depth > 0)
            elif kind == _FORM_OBJECT and depth < _MAX_FORM_DEPTH and len(self._content.order) < _MAX_OBJECTS:
                # Numbers within forms are numbers of their own: only those around the outermost form count.
                marks = tuple(
                    mark._replace(content_id=-1) if depth else mark
                    for mark in pdfium_marks.read_marks(obj, self._known_marks)
                )
                self.read_objects(pdfium_marks.list_form_objects(obj, _MAX_OBJECTS), (*outer, *marks), depth + 1)

    def _add_marks(self, obj: int, marks: tuple[pdfium_marks.ContentMark, ...], is_in_form: bool) -> None:
        content = self._content
        content_ids = [mark.content_id for mark in marks if mark.content_id >= 0]
        if content_ids:
            content.content_ids[obj] = content_ids[0 if is_in_form else -1]
        for mark in marks:
            if mark.actual_text is not None:
                number = self._replacement_by_mark.setdefault(mark.address, len(content.replacements))
                if number == len(content.replacements):
                    content.replacements.append(Replacement(mark.actual_text, is_in_form=is_in_form))
                content.replacements[number].objects.append(obj)
                content.replacement_by_object[obj] = number
                return  # an outer text stands for what an inner one stands for, too
