"""Evidence packs: an answer with its cited documents and the proof, in one ZIP file."""
