"""The samples: one module for each, with its words, its layout and the questions that it answers."""
