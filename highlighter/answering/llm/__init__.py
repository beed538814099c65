"""How a language model is talked to: over one watched connection a call, through the SDKs, with errors of ours."""
