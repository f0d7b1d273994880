// Heads as small maps, a row for each layer; the chosen one has the focus, and arrow keys move it.

import { element } from "../elements";
import { svg } from "../svg";

export interface SmallMap {
  name: string;
  mark: string; // the class of a mark in its corner, or ""
  says: string; // what the mark means
  values: number[][];
}

/** From which share on a cell has which opacity, about the share's root, which makes small ones
 * seen; few of them, so that a map is a few paths. */
const SHADES: [from: number, opacity: number][] = [
  [0.7, 0.95],
  [0.4, 0.74],
  [0.2, 0.55],
  [0.1, 0.38],
  [0.04, 0.26],
];

export class HeadGrid {
  readonly element = element("div", { class: "heads", role: "grid", "aria-label": "Heads" });
  #cells: HTMLElement[] = [];
  #perRow = 1;

  constructor(readonly choose: (index: number) => void) {
    this.element.addEventListener("keydown", (event) => this.#move(event));
  }

  /** labels: the names of the rows. */
  draw(maps: SmallMap[], labels: string[]): void {
    this.#perRow = maps.length / labels.length;
    const fits =
      this.#cells.length === maps.length && this.element.childElementCount === labels.length;
    if (!fits) this.#build(maps.length, labels.length);
    for (const [row, name] of labels.entries())
      (this.element.children[row]?.firstElementChild as Element).textContent = name;
    for (const [index, { name, mark, says, values }] of maps.entries()) {
      const cell = this.#cells[index] as HTMLElement;
      cell.setAttribute("aria-label", says ? `${name}, ${says}` : name);
      cell.className = mark;
      shade(cell.firstElementChild as SVGElement, values);
    }
  }

  /** Marks the head that is enlarged. */
  select(chosen: number): void {
    for (const [index, cell] of this.#cells.entries()) {
      const isChosen = String(index === chosen);
      if (cell.getAttribute("aria-selected") === isChosen) continue;
      cell.setAttribute("aria-selected", isChosen);
      cell.setAttribute("tabindex", index === chosen ? "0" : "-1");
    }
  }

  #build(count: number, rows: number): void {
    this.#cells = Array.from({ length: count }, (_, index) =>
      element("div", { role: "gridcell", click: () => this.#go(index) }, empty()),
    );
    const row = (number: number) =>
      element(
        "div",
        { role: "row" },
        element("span", { role: "rowheader" }),
        ...this.#cells.slice(number * this.#perRow, (number + 1) * this.#perRow),
      );
    this.element.replaceChildren(...Array.from({ length: rows }, (_, number) => row(number)));
  }

  #move(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.shiftKey) return; // the browser's own
    const at = this.#cells.indexOf(event.target as HTMLElement);
    const to = this.#target(at, event);
    if (at < 0 || to === null) return;
    event.preventDefault();
    this.#go(to);
  }

  /** Where a key leads: within the row, to the row above or below, to an end. */
  #target(at: number, { key, ctrlKey }: KeyboardEvent): number | null {
    const [start, last] = [at - (at % this.#perRow), this.#cells.length - 1];
    const end = start + this.#perRow - 1;
    if (ctrlKey) return { Home: 0, End: last }[key] ?? null;
    const to = {
      ArrowLeft: Math.max(at - 1, start),
      ArrowRight: Math.min(at + 1, end),
      ArrowUp: at - this.#perRow,
      ArrowDown: at + this.#perRow,
      Home: start,
      End: end,
    }[key];
    return to === undefined ? null : to < 0 || to > last ? at : to;
  }

  #go(index: number): void {
    this.choose(index);
    this.#cells[index]?.focus();
  }
}

/** A map without words: a path for each shade. */
function empty(): SVGElement {
  const paths = SHADES.map(([, opacity]) => svg("path", { "fill-opacity": opacity }));
  return svg("svg", { "aria-hidden": "true" }, ...paths);
}

/** Draws a map's cells into the paths of their shades. */
function shade(map: SVGElement, values: number[][]): void {
  const paths = SHADES.map(() => "");
  for (const [i, row] of values.entries())
    for (const [j, share] of row.entries()) {
      const at = SHADES.findIndex(([from]) => share >= from);
      if (at >= 0) paths[at] += `M${j} ${i}h1v1h-1z`;
    }
  map.setAttribute("viewBox", `0 0 ${values.length} ${values.length}`);
  for (const [at, d] of paths.entries()) map.children[at]?.setAttribute("d", d);
}
