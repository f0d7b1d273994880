"""The PyTorch companion, against PyTorch itself and against the NumPy snippets."""
