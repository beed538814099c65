"""One module a sample: its words, how it is laid out, and the questions it answers."""
