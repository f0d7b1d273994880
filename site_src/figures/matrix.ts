// A matrix as a table: the one that fence.py prints, with numbers that can be opened or changed.

import { element } from "./elements";
import type { Matrix } from "./trace";

export interface MatrixActions {
  open(matrix: Matrix, row: number, column: number): void;
  edit(matrix: Matrix, row: number, column: number, text: string): void;
  complain(sentence: string): void;
}

/** For tables that are only read. */
export const NOTHING_TO_OPEN: MatrixActions = {
  open: () => {},
  edit: () => {},
  complain: () => {},
};

export class MatrixTable {
  readonly element: HTMLTableElement;

  constructor(
    private matrix: Matrix,
    readonly actions: MatrixActions,
  ) {
    const head = matrix.columns.map(() => element("th", { scope: "col" }));
    const rows = matrix.rows.map((_, i) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }),
        ...matrix.columns.map((_, j) => element("td", {}, this.#cell(i, j))),
      ),
    );
    this.element = element(
      "table",
      { class: "matrix", "data-name": matrix.name },
      element("caption"),
      element("thead", {}, element("tr", {}, element("td"), ...head)),
      element("tbody", {}, ...rows),
    );
    if (matrix.editable) return;
    this.element.querySelector("button")?.setAttribute("tabindex", "0");
    moveByArrows(this.element);
  }

  /** Whether this table has the rows, columns and kind of another matrix. */
  fits({ rows, columns, editable, how }: Matrix): boolean {
    const { matrix } = this;
    const alike = editable === matrix.editable && explained(how) === explained(matrix.how);
    return alike && rows.length === matrix.rows.length && columns.length === matrix.columns.length;
  }

  /** Shows other numbers in place, so that focus, caret and a drag go on. */
  update(matrix: Matrix, changed: boolean[][] | undefined): void {
    this.matrix = matrix;
    this.element.caption?.replaceChildren(...caption(matrix));
    const [head, ...rows] = [...this.element.rows];
    for (const [j, name] of matrix.columns.entries()) write(head?.cells[j + 1], name);
    for (const [i, row] of rows.entries()) {
      write(row.cells[0], matrix.rows[i] ?? "");
      for (const [j, column] of matrix.columns.entries()) {
        const marked = changed?.[i]?.[j] ?? false;
        const cell = row.cells[j + 1] as HTMLTableCellElement;
        cell.classList.toggle("changed", marked);
        if (matrix.symbol === "weights") shade(cell, matrix.values[i]?.[j] ?? 0);
        this.#fill(cell, i, j, `${matrix.name}, ${matrix.rows[i]}, ${column}`, marked);
      }
    }
  }

  #fill(cell: HTMLElement, i: number, j: number, label: string, changed: boolean): void {
    const text = this.matrix.shown[i]?.[j] ?? "";
    const control = cell.firstElementChild;
    if (control instanceof HTMLInputElement) {
      control.setAttribute("aria-label", label);
      if (control !== document.activeElement) control.value = this.#value(i, j);
    } else if (control) {
      control.setAttribute(
        "aria-label",
        `${label}: ${text}${changed ? ", changed by the mistake" : ""}`,
      );
      write(control, text);
    } else write(cell, text);
  }

  #value(i: number, j: number): string {
    return String(this.matrix.values[i]?.[j] ?? 0);
  }

  #cell(i: number, j: number): HTMLElement | string {
    if (this.matrix.editable) return this.#input(i, j);
    if (!this.matrix.how?.[i]?.[j]) return "";
    const open = () => this.actions.open(this.matrix, i, j);
    const button = element("button", { type: "button", tabindex: "-1", click: open, focus: open });
    button.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType === "mouse") open();
    });
    return button;
  }

  /** A number to change: by typing, by the arrow keys, by dragging up and down with a mouse. */
  #input(i: number, j: number): HTMLInputElement {
    const field = element("input", { inputmode: "decimal", autocomplete: "off" });
    const edit = () => {
      const isNumber = numberIn(field.value) !== null;
      field.setAttribute("aria-invalid", String(!isNumber));
      if (isNumber) this.actions.edit(this.matrix, i, j, field.value);
    };
    const step = (by: number) => {
      const from = numberIn(field.value) ?? Number(this.#value(i, j));
      field.value = String(Math.round((from + by) * 100) / 100);
      edit();
    };
    field.addEventListener("input", edit);
    field.addEventListener("blur", () => {
      if (numberIn(field.value) === null)
        this.actions.complain(`“${field.value}” is no number; the last one stays.`);
      field.removeAttribute("aria-invalid");
      field.value = this.#value(i, j);
    });
    field.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(event.shiftKey ? by / 10 : by);
    });
    dragging(field, step);
    return field;
  }
}

/** Which numbers have a sum to open. */
function explained(how: Matrix["how"]): string {
  return JSON.stringify(how?.map((row) => row.map(Boolean)));
}

/** The number that a text writes, or null. */
export function numberIn(text: string): number | null {
  const value = Number(text.trim().replace("−", "-").replace(",", "."));
  return text.trim() && Number.isFinite(value) ? value : null;
}

function caption({ name, symbol, title }: Matrix): (Node | string)[] {
  const kind = symbol ? `matrix-name sym-${symbol}` : "matrix-name";
  return [element("span", { class: kind }, name), ` ${title}`];
}

/** Colours a cell by its share. */
function shade(cell: HTMLElement, share: number): void {
  cell.style.setProperty("--share", share.toFixed(2));
}

function write(place: Element | undefined, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

const PIXELS_A_STEP = 12;

function dragging(field: HTMLInputElement, step: (by: number) => void): void {
  let from: number | null = null;
  field.addEventListener("pointerdown", ({ clientY, pointerId, pointerType, button }) => {
    if (pointerType === "touch" || button !== 0) return; // a finger that moves scrolls the page
    from = clientY;
    field.setPointerCapture(pointerId);
  });
  field.addEventListener("pointermove", ({ clientY }) => {
    if (from === null || Math.abs(clientY - from) < PIXELS_A_STEP) return;
    step(clientY < from ? 1 : -1);
    from = clientY;
  });
  for (const end of ["pointerup", "pointercancel"])
    field.addEventListener(end, () => {
      from = null;
    });
}

/** One stop for Tab; inside, the arrow keys go from number to number. */
function moveByArrows(table: HTMLTableElement): void {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  table.addEventListener("keydown", (event) => {
    const [down, right] = steps[event.key] ?? [0, 0];
    const at = (event.target as Element).closest("td");
    const row = at?.parentElement as HTMLTableRowElement | null;
    if (!at || !row || (!down && !right)) return;
    event.preventDefault();
    const next = table.rows[row.rowIndex + down]?.cells[at.cellIndex + right];
    const button = next?.querySelector("button");
    if (!button) return;
    at.querySelector("button")?.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
    button.focus();
  });
}
