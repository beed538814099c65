"""Check whether an answer, written by any system, is supported by its sources: claims, quotations, verdicts."""
