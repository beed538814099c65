"""What may be asked of places on paper, and what is answered."""

from __future__ import annotations

from pydantic import BaseModel, Field, model_validator

from highlighter.api.schemas import Offset
from highlighter.models import Rectangle


class RectanglesQuery(BaseModel):
    """A span of the document's canonical text."""

    start: Offset
    end: Offset
    v: int | None = Field(None, ge=1, le=2**31 - 1, description="the pipeline the offsets are of; the current one")

    @model_validator(mode="after")
    def _forward(self) -> RectanglesQuery:
        if self.end <= self.start:
            raise ValueError(f"end ({self.end}) must be greater than start ({self.start})")
        return self


class RectangleOut(BaseModel):
    page: int = Field(description="counts from 1")
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def of(cls, box: Rectangle) -> RectangleOut:
        return cls(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)


class PageOut(BaseModel):
    page: int
    width: float = Field(description="of the crop box, page unrotated")
    height: float
    rotation: int = Field(description="how far the page is shown turned, clockwise: 0, 90, 180, 270")


class RectanglesOut(BaseModel):
    rectangles: list[RectangleOut] = Field(
        description="in reading order; PDF points from the bottom left of the page's crop box, page unrotated"
    )
    pages: list[PageOut] = Field(description="those that the rectangles are on")
