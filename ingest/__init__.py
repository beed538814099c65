"""A file in, a searchable document out."""
