"""Pages that work without network, and never a mix of two builds.

`service-worker.ts` keeps what is visited; `stamp.py` gives each build its version and its list of
files. Plain code and no Workbox: of its strategies two are needed, some thirty lines here, and what
is particular (a list for each build that pages are kept from, moving what is used from one store to
the other, headers that isolate) it has not.
"""

UNSTAMPED = "unstamped_build_"  # stands in pages and the worker for the version, and is as long
WORKER = "attention-live-worker.js"  # at the site's root, so that it may answer for all of it
EXPLANATION = "offline.html"  # what is shown in place of a page that is not kept
