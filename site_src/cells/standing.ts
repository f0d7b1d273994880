// How a cell stands while nothing runs, in words.

import { signature } from "./order";
import type { Ran, Runnable } from "./session";

/** chain: the cell and all it builds on. ran: what its output is from; null: the page. */
export function standing(cell: Runnable, chain: readonly Runnable[], ran: Ran | null): string {
  const edits = chain.filter((one) => one !== cell && one.edited);
  const due = cell.edited && cell.code !== ran?.code;
  const stale = !due && ran && ran.signature !== signature(chain);
  return [
    due ? notRun(cell) : "",
    edits.length ? `Builds on ${whose(edits)} of “${named(edits)}”.` : "",
    stale ? "Its output is older." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function notRun({ shared }: Runnable): string {
  if (!shared) return "Edited, not run yet.";
  return "Shared edit, not run yet. It is not this page’s own text.";
}

function whose(edits: readonly Runnable[]): string {
  if (!edits.some(({ shared }) => shared)) return "your edit";
  return edits.every(({ shared }) => shared) ? "a shared edit" : "edits";
}

function named(cells: readonly Runnable[]): string {
  return cells.map(({ name }) => name).join("”, “");
}
