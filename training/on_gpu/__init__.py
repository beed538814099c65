"""Training of the claim reader and of the question reader on a GPU, on a machine that has PyTorch and NumPy and nothing else of ours.

`prepare` writes examples, vectors of pieces and first weights into a folder; `python -m training.on_gpu FOLDER` trains there; `unpack`
makes its result a model.pt for `training.entailment.export`.
"""
