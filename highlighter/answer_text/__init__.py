"""The text of an answer as a tree of blocks and runs, which pages, Word files, HTML and Markdown are rendered from."""
