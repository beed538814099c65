"""Parse the citation markers of an answer and resolve them to sources."""
