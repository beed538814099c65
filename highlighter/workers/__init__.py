"""Child processes for what is dangerous: reading files, drawing pages."""
