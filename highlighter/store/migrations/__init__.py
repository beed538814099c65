"""The upgrades of the catalog's tables: `versions/` has one module for each, which Alembic runs in order."""
