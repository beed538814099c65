"""The catalog in a file, by SQLite: the default."""
