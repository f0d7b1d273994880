"""The pages of PyTorch: executed, stamped, shown, taken along."""
