"""One module a command of python -m highlighter: each adds its parser and runs."""
