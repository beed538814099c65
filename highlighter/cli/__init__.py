"""The commands of python -m highlighter.

Each command is a module with `SUMMARY`, `EXAMPLES`, `add_arguments(parser)` and `run(services, options)`; `common` and
`closed_pipe` are shared by them.
"""
