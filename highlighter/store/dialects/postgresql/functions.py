"""The functions of SQLite that queries of the catalog use, for PostgreSQL."""

from __future__ import annotations

import sys
from functools import cache

from sqlalchemy import Connection


def create_functions(connection: Connection) -> None:
    """Create the functions again, so that those of an earlier release are replaced."""
    for statement in (*_FUNCTIONS, _build_casefolded_function()):
        connection.exec_driver_sql(statement)


_FUNCTIONS = (
    "CREATE OR REPLACE FUNCTION instr(value text, part text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE"
    " AS $$ SELECT strpos(value, part) $$",
    # Values that hold escapes of NUL or of lone surrogates cannot be extracted; they are returned as a whole.
    """CREATE OR REPLACE FUNCTION json_extract(source text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN
        RETURN jsonb_path_query_first(source::jsonb, path::jsonpath) #>> '{}';
    EXCEPTION WHEN untranslatable_character OR invalid_text_representation THEN
        RETURN source;
    END $$""",
    # One row for each entry of an object or item of a list; one for the value itself, where it is neither.
    """CREATE OR REPLACE FUNCTION json_each(source text, path text)
    RETURNS TABLE (key text, value text, type text) LANGUAGE sql IMMUTABLE STRICT AS $$
        SELECT entry.key, entry.value #>> '{}',
            CASE jsonb_typeof(entry.value)
                WHEN 'boolean' THEN entry.value #>> '{}' WHEN 'string' THEN 'text' ELSE jsonb_typeof(entry.value) END
        FROM jsonb_path_query(source::jsonb, path::jsonpath) AS target, LATERAL (
            SELECT * FROM jsonb_each(CASE jsonb_typeof(target) WHEN 'object' THEN target ELSE '{}' END)
            UNION ALL
            SELECT NULL, item FROM jsonb_array_elements(
                CASE jsonb_typeof(target) WHEN 'array' THEN target WHEN 'object' THEN '[]' ELSE jsonb_build_array(target) END
            ) AS item
        ) AS entry (key, value) $$""",
    """CREATE OR REPLACE FUNCTION json_each(source json, path text)
    RETURNS TABLE (key text, value text, type text) LANGUAGE sql IMMUTABLE STRICT AS $$
        SELECT * FROM json_each(source::text, path) $$""",
)


@cache
def _build_casefolded_function() -> str:
    """Return the function that folds case as `str.casefold` does.

    PostgreSQL only has lower(), by ICU the same for nearly all characters. The others are replaced afterwards.
    """
    folded_by_lowered = {
        character.lower(): character.casefold()
        for character in map(chr, range(sys.maxunicode + 1))
        if character.lower() != character.casefold()
    }
    single = {lowered: folded for lowered, folded in folded_by_lowered.items() if len(folded) == 1}
    replaced = f"translate(lowered, '{''.join(single)}', '{''.join(single.values())}')"
    for lowered, folded in folded_by_lowered.items():
        if lowered not in single:
            replaced = f"replace({replaced}, '{lowered}', '{folded}')"
    return f"""CREATE OR REPLACE FUNCTION casefolded(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
        lowered text COLLATE "C";
    BEGIN
        IF octet_length(value) = length(value) THEN -- ASCII only
            RETURN lower(value COLLATE "C");
        END IF;
        lowered := lower(value COLLATE "und-x-icu");
        IF lowered ~ '[{"".join(folded_by_lowered)}]' THEN
            RETURN {replaced};
        END IF;
        RETURN lowered;
    END $$"""
