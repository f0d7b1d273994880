// A matrix as a table: the one that fence.py prints, with numbers that can be opened or changed.

import { element } from "./elements";
import type { Matrix } from "./trace";

export interface MatrixActions {
  open(matrix: Matrix, row: number, column: number): void;
  edit(matrix: Matrix, row: number, column: number, text: string): void;
}

/** changed: which numbers to mark as changed by a mistake. */
export function table(
  matrix: Matrix,
  changed: boolean[][] | undefined,
  actions: MatrixActions,
): HTMLTableElement {
  const head = matrix.columns.map((name) => element("th", { scope: "col" }, name));
  const rows = matrix.rows.map((name, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...matrix.columns.map((_, j) => {
        const mark = changed?.[i]?.[j] ? { class: "changed" } : {};
        return element("td", mark, cell(matrix, i, j, actions));
      }),
    ),
  );
  const made = element(
    "table",
    { class: "matrix", "data-name": matrix.name },
    caption(matrix),
    element("thead", {}, element("tr", {}, element("td"), ...head)),
    element("tbody", {}, ...rows),
  );
  if (!matrix.editable) moveByArrows(made);
  return made;
}

function caption({ name, symbol, title }: Matrix): HTMLElement {
  const kind = symbol ? `matrix-name sym-${symbol}` : "matrix-name";
  return element("caption", {}, element("span", { class: kind }, name), ` ${title}`);
}

function cell(matrix: Matrix, i: number, j: number, actions: MatrixActions): HTMLElement | string {
  const text = matrix.shown[i]?.[j] ?? "";
  const label = `${matrix.name}, ${matrix.rows[i]}, ${matrix.columns[j]}`;
  if (matrix.editable) return input(matrix, i, j, label, actions);
  if (!matrix.how) return text;
  const open = () => actions.open(matrix, i, j);
  const first = i === 0 && j === 0;
  return element(
    "button",
    {
      type: "button",
      tabindex: first ? "0" : "-1",
      "aria-label": `${label}: ${text}`,
      click: open,
      focus: open,
    },
    text,
  );
}

/** A number to change: by typing, by the arrow keys, by dragging up and down. */
function input(matrix: Matrix, i: number, j: number, label: string, actions: MatrixActions) {
  const value = String(matrix.values[i]?.[j] ?? 0);
  const field = element("input", {
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": label,
    value,
  });
  const edit = () => actions.edit(matrix, i, j, field.value);
  const step = (by: number) => {
    field.value = String(Math.round((Number(field.value) + by) * 100) / 100);
    edit();
  };
  field.addEventListener("input", edit);
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(event.shiftKey ? by / 10 : by);
  });
  dragging(field, step);
  return field;
}

const PIXELS_A_STEP = 12;

function dragging(field: HTMLInputElement, step: (by: number) => void): void {
  let from: number | null = null;
  field.addEventListener("pointerdown", ({ clientY, pointerId, pointerType }) => {
    if (pointerType === "touch") return; // there a drag scrolls the page
    from = clientY;
    field.setPointerCapture(pointerId);
  });
  field.addEventListener("pointermove", ({ clientY }) => {
    if (from === null || Math.abs(clientY - from) < PIXELS_A_STEP) return;
    step(clientY < from ? 1 : -1);
    from = clientY;
  });
  field.addEventListener("pointerup", () => {
    from = null;
  });
}

/** One stop for Tab; inside, the arrow keys go from number to number. */
function moveByArrows(table: HTMLTableElement): void {
  table.addEventListener("keydown", (event) => {
    const [down, right] = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    }[event.key] ?? [0, 0];
    const at = (event.target as Element).closest("td");
    const row = at?.parentElement as HTMLTableRowElement | null;
    if (!at || !row || (!down && !right)) return;
    event.preventDefault();
    const next = table.rows[row.rowIndex + (down ?? 0)]?.cells[at.cellIndex + (right ?? 0)];
    const button = next?.querySelector("button");
    if (!button) return;
    at.querySelector("button")?.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
    button.focus();
  });
}
