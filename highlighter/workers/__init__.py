"""Child processes for dangerous work: reading files, drawing pages, running other programs."""
