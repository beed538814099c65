"""Embedding models: ONNX Runtime runs the carried default, sentence-transformers any other."""
