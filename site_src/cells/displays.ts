// What a cell shows besides text: pictures, which stay outside the page's own tree, and tables.

import type { Display } from "../runtime/protocol";

interface Table {
  columns: string[];
  rows: string[][];
  more: number; // rows that were left out
}

export function drawn({ kind, data, alt }: Display): HTMLElement {
  return kind === "table" ? table(JSON.parse(data), alt) : picture(kind, data, alt);
}

/** An image runs no script and reaches no address, whatever the reader's code has drawn. */
function picture(kind: "svg" | "png", data: string, alt: string): HTMLElement {
  const image = document.createElement("img");
  image.alt = alt;
  image.src =
    kind === "svg"
      ? `data:image/svg+xml,${encodeURIComponent(data)}`
      : `data:image/png;base64,${data}`;
  return image;
}

function table({ columns, rows, more }: Table, alt: string): HTMLElement {
  const element = document.createElement("table");
  element.className = "records"; // Material wraps tables without a class
  const head = element.createTHead().insertRow();
  for (const column of columns) head.append(cell("th", column));
  const body = element.createTBody();
  for (const row of rows) body.insertRow().append(...row.map((value) => cell("td", value)));
  if (more) {
    const note = body.insertRow().insertCell();
    note.colSpan = columns.length;
    note.textContent = `… and ${more} more`;
  }
  return scrolling(element, alt);
}

function cell(kind: "td" | "th", text: string): HTMLTableCellElement {
  const element = document.createElement(kind);
  element.textContent = text;
  if (kind === "th") element.scope = "col";
  else if (text && !Number.isNaN(Number(text))) element.className = "number";
  return element;
}

/** Wide tables scroll inside themselves, with the keyboard too. */
function scrolling(content: HTMLElement, label: string): HTMLElement {
  const region = document.createElement("div");
  region.className = "scrolling";
  region.tabIndex = 0;
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", label);
  region.append(content);
  return region;
}
