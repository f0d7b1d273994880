// What every page loads: small, and nothing that is not used yet.

import "./cells/py-cell";
import "./cells/incoming";
import "./cells/page-controls";
import "./figures/live-figure";
import "./notebooks/executed-cell";
import "./offline/kept-pages";
import "./offline/offline-switch";
import "./symbols/light-up";
