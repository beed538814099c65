"""Child processes for what is dangerous: reading files, drawing pages, other people's programs."""
