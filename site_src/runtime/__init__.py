"""Python in the page: Pyodide fetched, verified and precompiled, and the worker that runs it."""
