"""Turn files into searchable documents."""
