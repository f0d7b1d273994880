"""Attention in PyTorch, equal to the NumPy snippets, and as fast as PyTorch's own layer."""
