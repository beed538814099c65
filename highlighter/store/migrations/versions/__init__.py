"""The revisions of the catalog's tables."""
