"""PyTorch pages: written as .py, executed once into an .ipynb beside it, shown with that output."""
