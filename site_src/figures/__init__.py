"""Figures that draw what Python computed: a folder each, trace.py (values), view.ts (picture)."""
