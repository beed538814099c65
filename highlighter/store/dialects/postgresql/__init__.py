"""The catalog on a PostgreSQL server: for several machines, or where databases are backed up and watched together."""
