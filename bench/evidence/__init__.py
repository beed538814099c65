"""The quality of evidence: every set of judged passages, scored by Highlighter and by usual methods."""
