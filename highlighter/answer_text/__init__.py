"""An answer's text as one tree of blocks and runs, which pages, Word files, HTML and Markdown render."""
