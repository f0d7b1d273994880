"""Tests; several processes share the cores, so NumPy's products take one thread each."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports NumPy
