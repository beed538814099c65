"""How good the evidence is: every set of judged passages, by our scorer and by what everybody else does."""
