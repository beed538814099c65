"""The types of the catalog's columns, equal on every database: 64-bit integers, and texts of any length in binary order."""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import BigInteger, Column
from sqlalchemy.dialects.postgresql import TEXT
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import TypeCompiler
from sqlalchemy.types import TypeEngine

# SQLite's integers have 64 bits, its texts have no limit, and it compares their bytes. PostgreSQL's integers have 32 bits,
# and it orders texts by the rules of a language unless the column says otherwise.


class BinaryText(TEXT):
    """The type of PostgreSQL's texts in binary order."""


@compiles(BinaryText)
def _compile_type(_type: BinaryText, _compiler: TypeCompiler, type_expression: Any = None, **_options: Any) -> str:
    # Only a column has a collation: in a cast it would be an error.
    return 'TEXT COLLATE "C"' if isinstance(type_expression, Column) else "TEXT"


Integer: TypeEngine[int] = sqlalchemy.Integer().with_variant(BigInteger(), "postgresql")
Text: TypeEngine[str] = sqlalchemy.Text().with_variant(BinaryText(), "postgresql")


def String(length: int) -> TypeEngine[str]:
    """Return the type of a short text; its length is for readers of the schema, as SQLite does not check it."""
    return sqlalchemy.String(length).with_variant(BinaryText(), "postgresql")
