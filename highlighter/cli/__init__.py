"""python -m highlighter COMMAND: each module here is one, with `ABOUT`, `arguments(parser)` and `run(services, options)`."""
