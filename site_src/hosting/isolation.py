"""Pages that are isolated from other sites may share memory with their worker.

So Stop interrupts a cell and keeps its variables.
"""

# require-corp, not credentialless: nothing comes from elsewhere, and Safari knows only the former.
ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
