"""From a click or a navigation to the painted result: ours, stock Pyodide, and peers."""
