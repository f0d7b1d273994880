"""What tests of snippets share: examples may take their time, for machines under load."""

from hypothesis import settings

settings.register_profile("snippets", deadline=None)
settings.load_profile("snippets")
