"""Runnable cells: the fence that becomes HTML, and the element that brings it to life."""
