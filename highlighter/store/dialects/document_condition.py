"""The type of conditions on rows of `documents`."""

from __future__ import annotations

from sqlalchemy import ColumnElement, TextClause

DocumentCondition = ColumnElement[bool] | TextClause
