// Two sentences of the same words: swap words of the second, and see which numbers are new.

import { element } from "../elements";
import { MatrixTable } from "../matrix";
import type { Figure, Matrix, Trace, View } from "../trace";

interface Order {
  words: string[];
  weights: string[][];
  output: string[][];
  new_weights: number[][];
  new_output: number[][];
  says: string;
}

interface OrderTrace extends Trace {
  orders: Order[];
}

/** A number that both sentences have, by the names of its row and column. */
interface Opened {
  kind: Kind;
  row: string;
  column: string;
}

type Kind = "weights" | "output";
const KINDS: Kind[] = ["weights", "output"];

const WAYS: [string, string][] = [
  ["no positions", "No positions"],
  ["causal mask", "Only a causal mask"],
  ["sinusoids", "Sinusoids added"],
  ["RoPE", "RoPE"],
];
const START = "man bites dog";
const HINT = "Point at a number, or tap it: its twin in the other sentence lights up.";

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new OrderView(figure, stage);
}

class OrderView implements View {
  #trace!: OrderTrace;
  #words = START.split(" ");
  #opened: Opened | null = null;
  #matrices: Matrix[] = []; // as drawn
  readonly #tables = new Map<string, MatrixTable>();
  readonly #toggles: HTMLElement[];
  readonly #title = element("span", { class: "swaps" }, "2. ");
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    this.#toggles = WAYS.map(([way, label]) =>
      this.#button(label, () => figure.change({ ...this.#trace.inputs, way })),
    );
    const again = () =>
      figure.change({ ...this.#trace.inputs, seed: (this.#trace.inputs.seed as number) + 1 });
    const ways = { role: "group", "aria-label": "How attention knows the order" };
    this.#part(".figure-controls").append(
      element("span", ways, ...this.#toggles),
      this.#button("Draw other numbers", again),
    );
    this.#part('[data-step="sentence-2"] .step-title').replaceChildren(this.#title);
    this.#part('[data-step="sentence-2"] .step-says').setAttribute("role", "status");
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    this.#buildTitle();
  }

  get place(): unknown {
    return { words: this.#words.join(" ") };
  }

  set place(place: unknown) {
    this.#words = String((place as { words: unknown }).words).split(" ");
  }

  draw(trace: Trace): void {
    this.#trace = trace as OrderTrace;
    if (!this.#order) this.#words = START.split(" ");
    for (const [index, [way]] of WAYS.entries())
      this.#toggles[index]?.setAttribute("aria-pressed", String(trace.inputs.way === way));
    this.#draw();
  }

  get #order(): Order {
    const wanted = this.#words.join(" ");
    return this.#trace.orders.find(({ words }) => words.join(" ") === wanted) as Order;
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #button(label: string, click: () => void): HTMLElement {
    return element("button", { type: "button", click }, label);
  }

  // The second sentence: its words, and a button between each two of them

  #buildTitle(): void {
    for (const index of this.#words.keys()) {
      if (index) this.#title.append(this.#button("⇄", () => this.#swap(index)));
      this.#title.append(element("b"));
    }
  }

  /** index: of the later of two neighbours. */
  #swap(index: number): void {
    const [before, after] = this.#words.slice(index - 1, index + 1) as [string, string];
    this.#words = this.#words.with(index - 1, after).with(index, before);
    this.#draw();
  }

  #drawTitle(): void {
    const [words, buttons] = ["b", "button"].map((tag) => [...this.#title.querySelectorAll(tag)]);
    for (const [index, word] of (words ?? []).entries())
      word.textContent = this.#words[index] ?? "";
    for (const [index, button] of (buttons ?? []).entries())
      button.setAttribute("aria-label", `Swap ${this.#words[index]} and ${this.#words[index + 1]}`);
  }

  // The tables

  #draw(): void {
    this.#drawTitle();
    this.#part('[data-step="sentence-2"] .step-says').textContent = this.#order.says;
    this.#matrices = this.#trace.matrices.map((matrix) =>
      matrix.name.endsWith("2") ? this.#second(matrix) : matrix,
    );
    for (const matrix of this.#matrices) this.#table(matrix).update(matrix, undefined);
    for (const kind of KINDS)
      for (const [i, row] of this.#order[`new_${kind}`].entries())
        for (const [j, isNew] of row.entries()) this.#mark(`${kind} 2`, i, j, isNew === 1);
    this.#light();
  }

  /** A table of the second sentence in the order that is shown. */
  #second(matrix: Matrix): Matrix {
    const { words, weights, output } = this.#order;
    if (matrix.symbol !== "weights") return { ...matrix, rows: words, shown: output };
    return {
      ...matrix,
      rows: words.map((word) => `query: ${word}`),
      columns: words.map((word) => `key: ${word}`),
      shown: weights,
      values: weights.map((row) => row.map(Number)),
    };
  }

  #table(matrix: Matrix): MatrixTable {
    let table = this.#tables.get(matrix.name);
    if (!table) {
      const open = (of: Matrix, i: number, j: number) => this.#open(of, i, j);
      const actions = { open, edit: () => {}, complain: () => {} };
      table = new MatrixTable({ ...matrix, how: matrix.shown }, actions); // numbers to point at
      this.#tables.set(matrix.name, table);
      this.#part(`table[data-name="${matrix.name}"]`).replaceWith(table.element);
    }
    return table;
  }

  #cell(name: string, i: number, j: number): HTMLTableCellElement | undefined {
    return this.#tables.get(name)?.element.tBodies[0]?.rows[i]?.cells[j + 1];
  }

  /** A number that the first sentence has not. */
  #mark(name: string, i: number, j: number, isNew: boolean): void {
    const cell = this.#cell(name, i, j);
    const button = cell?.querySelector("button");
    cell?.classList.toggle("new", isNew);
    if (isNew) button?.setAttribute("aria-label", `${button.getAttribute("aria-label")}, new`);
  }

  // Twins

  #open({ symbol, rows, columns }: Matrix, i: number, j: number): void {
    this.#opened = { kind: symbol as Kind, row: rows[i] ?? "", column: columns[j] ?? "" };
    this.#light();
  }

  #light(): void {
    for (const lit of this.stage.querySelectorAll(".opened")) lit.classList.remove("opened");
    this.#how.textContent = HINT;
    if (!this.#opened) return;
    const { kind, row, column } = this.#opened;
    const told = this.#matrices
      .filter(({ symbol }) => symbol === kind)
      .map(({ name, rows, columns, shown }, index) => {
        const [i, j] = [rows.indexOf(row), columns.indexOf(column)];
        this.#cell(name, i, j)?.classList.add("opened");
        const sentence = index ? this.#words : this.#trace.matrices[1]?.rows;
        return `${shown[i]?.[j]} in “${sentence?.join(" ")}”`;
      });
    this.#how.textContent = `${row}, ${column}: ${told.join(", ")}.`;
  }
}
