"""What readers read, run and copy: one idea a file, every function with an example."""
