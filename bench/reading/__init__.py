"""How well PDFs are read: words, their order, sentences and CPU, beside other readers."""
