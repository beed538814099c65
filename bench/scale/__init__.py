"""The same work on each database that can hold the catalog."""
