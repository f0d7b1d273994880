"""Others that run Python in a page, installed for the bench alone."""
