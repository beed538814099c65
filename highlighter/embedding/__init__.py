"""What runs a model: ONNX Runtime for the one that comes along, sentence-transformers for any other."""
