"""The commands of python -m highlighter.

Each command is a module with `SUMMARY`, `EXAMPLES`, `add_arguments(parser)` and `run(services, options)`; `common`,
`closed_pipe` and `terminal_text` are shared by them. `completion` and `manual` run with the parser of all commands instead.
"""
