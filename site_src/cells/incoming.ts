// A page opened by a link that carries code: shown in the cells that it is for, and not run.

import type { PyCell } from "./py-cell";
import { MARK } from "./sharing";

const UNREADABLE =
  "The link that you followed carries code that cannot be read; perhaps it was cut short. " +
  "This is the page as it always is.";
const NO_SUCH_CELL = "The link that you followed carries code for a cell that is not on this page.";

async function open(): Promise<void> {
  if (!location.hash.startsWith(MARK)) return;
  const { pathname, hash } = location;
  const shared = await import("./share-link")
    .then(({ decode }) => decode(hash.slice(MARK.length)))
    .catch(() => null);
  if (location.pathname !== pathname) return; // the reader has gone on
  if (!shared) return leave(UNREADABLE);
  const edits = Object.entries(shared.edits);
  const received = edits.flatMap(([name, code]) => cellNamed(name)?.receive(code) ?? []);
  await Promise.allSettled(received);
  if (received.length < edits.length) leave(NO_SUCH_CELL);
  const shown = cellNamed(shared.cell);
  if (shown && location.hash === hash) location.replace(`#${shown.id}`); // a reload brings the edits from where they are kept
}

function cellNamed(name: string): PyCell | null {
  const found = document.getElementById(`cell-${name}`);
  return found?.localName === "py-cell" ? (found as PyCell) : null;
}

/** Drops the code from the address, and says why at the head of the page. */
function leave(because: string): void {
  history.replaceState(history.state, "", location.pathname + location.search);
  document.querySelector(".link-note")?.remove();
  const note = document.createElement("p");
  note.className = "link-note";
  note.setAttribute("role", "status");
  document.querySelector("article h1")?.after(note);
  note.textContent = because;
  note.scrollIntoView({ block: "center" });
}

addEventListener("hashchange", open);
void open();
