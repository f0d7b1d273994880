// A figure that is read step by step: each step's matrices, each number with the sum that made it.

import { element } from "./elements";
import { type MatrixActions, MatrixTable } from "./matrix";
import type { Figure, Matrix, Source, Trace, View } from "./trace";

/** What a figure adds to the steps. */
export interface Extras {
  controls?(trace: Trace): HTMLElement[]; // beside Back and Next
  below?(trace: Trace): HTMLElement[];
  edit?(matrix: Matrix, row: number, column: number, text: string): void;
}

const MILLISECONDS_A_STEP = 2500;

export class Stepper implements View {
  #trace!: Trace;
  #step = 0;
  #opened: [string, number, number] | null = null;
  #tables: { table: MatrixTable; name: string }[] = [];
  #playing: ReturnType<typeof setInterval> | undefined;
  readonly #controls: HTMLElement;
  readonly #steps: HTMLElement;
  readonly #how: HTMLElement;
  readonly #below: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
    readonly extras: Extras = {},
  ) {
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    this.#controls = part(".figure-controls");
    this.#steps = part(".steps");
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
    this.#below = part(".figure-below");
  }

  get place(): unknown {
    return { step: this.#step, opened: this.#opened };
  }

  set place(place: unknown) {
    const { step, opened } = place as { step: number; opened: [string, number, number] | null };
    this.#step = Math.max(0, Math.trunc(Number(step) || 0));
    this.#opened = Array.isArray(opened) ? opened : null;
  }

  draw(trace: Trace): void {
    this.#trace = trace;
    this.#step = Math.min(this.#step, trace.steps.length - 1);
    if (!this.#fits()) this.#build(trace);
    for (const { table, name } of this.#tables)
      table.update(this.#matrix(name), trace.changed?.[name]);
    for (const [index, section] of [...this.#steps.children].entries()) {
      section.toggleAttribute("data-current", index === this.#step);
      const says = section.querySelector(".step-says") as HTMLElement;
      says.textContent = trace.steps[index]?.says ?? "";
    }
    this.#drawAround(trace);
    this.figure.show(trace.steps[this.#step]?.key ?? "");
    this.#reopen();
  }

  /** What stands above and below the steps; focus stays on what has the same key. */
  #drawAround(trace: Trace): void {
    const focused = document.activeElement;
    const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
    const within = this.stage.contains(focused);
    const { controls, below } = this.extras;
    this.#controls.replaceChildren(...this.#navigation(), ...(controls?.(trace) ?? []));
    this.#below.replaceChildren(...(below?.(trace) ?? []));
    if (!within || !key || this.stage.contains(document.activeElement)) return;
    const same = this.stage.querySelector<HTMLElement>(`[data-key="${key}"]`);
    (same ?? this.stage.querySelector<HTMLElement>("[data-key]"))?.focus();
  }

  #fits(): boolean {
    return (
      this.#tables.length > 0 &&
      this.#tables.every(({ table, name }) => table.fits(this.#matrix(name)))
    );
  }

  #build(trace: Trace): void {
    this.#tables = [];
    this.#steps.replaceChildren(...trace.steps.map((_, index) => this.#section(index)));
  }

  #matrix(name: string): Matrix {
    return this.#trace.matrices.find((one) => one.name === name) as Matrix;
  }

  // Steps

  #navigation(): HTMLElement[] {
    const count = this.#trace.steps.length;
    if (count === 1) return [];
    const go = (by: number) => () => {
      this.#pause();
      this.#goTo(this.#step + by);
    };
    const button = (key: string, label: string, disabled: boolean, click: () => void) =>
      element(
        "button",
        { type: "button", "data-key": key, "aria-disabled": String(disabled), click },
        label,
      );
    return [
      button("back", "Back", this.#step === 0, go(-1)),
      button("next", "Next", this.#step === count - 1, go(1)),
      button("play", this.#playing ? "Pause" : "Play", false, () => this.#play()),
      element("span", { class: "step-count" }, `Step ${this.#step + 1} of ${count}`),
    ];
  }

  /** Turns the pages by itself until the end, or until the reader takes over. */
  #play(): void {
    if (this.#playing) this.#pause();
    else {
      if (this.#step === this.#trace.steps.length - 1) this.#step = 0;
      this.#playing = setInterval(() => this.#turn(), MILLISECONDS_A_STEP);
    }
    this.draw(this.#trace);
  }

  #turn(): void {
    const last = this.#step + 1 >= this.#trace.steps.length - 1;
    if (last || !this.stage.isConnected) this.#pause();
    this.#goTo(this.#step + 1);
  }

  #pause(): void {
    clearInterval(this.#playing);
    this.#playing = undefined;
  }

  #goTo(step: number): void {
    if (step < 0 || step >= this.#trace.steps.length) return;
    this.#step = step;
    this.#opened = null;
    this.draw(this.#trace);
  }

  #section(index: number): HTMLElement {
    const step = this.#trace.steps[index] as Trace["steps"][number];
    return element(
      "section",
      { class: "step", "data-step": step.key },
      element(
        "p",
        { class: "step-title", role: "heading", "aria-level": "2" },
        this.#trace.steps.length > 1 ? `${index + 1}. ${step.title}` : step.title,
      ),
      element("p", { class: "step-says" }, step.says),
      element(
        "div",
        { class: "matrices" },
        element("div", { class: "takes" }, ...step.takes.map((name) => this.#table(name))),
        element("div", { class: "makes" }, ...step.makes.map((name) => this.#table(name))),
      ),
    );
  }

  #table(name: string): HTMLTableElement {
    const table = new MatrixTable(this.#matrix(name), this.#actions);
    this.#tables.push({ table, name });
    return table.element;
  }

  readonly #actions: MatrixActions = {
    open: (matrix, i, j) => this.#open(matrix, i, j),
    edit: (matrix, i, j, text) => this.extras.edit?.(matrix, i, j, text),
    complain: (sentence) => this.figure.say(sentence),
  };

  // One number

  /** After a redrawing, or from a link: the same number again, if it is in this step. */
  #reopen(): void {
    const { steps } = this.#trace;
    const step = steps[this.#step] as Trace["steps"][number];
    const told =
      steps.length > 1 ? `Step ${this.#step + 1} of ${steps.length}: ${step.title}. ` : "";
    this.#how.classList.remove("sum");
    this.#how.textContent = `${told}${this.#hint(step)}`;
    for (const marked of this.#steps.querySelectorAll(".from, .opened"))
      marked.classList.remove("from", "opened");
    const [name, i, j] = this.#opened ?? ["", 0, 0];
    if (step.makes.includes(name) && this.#matrix(name).how?.[i]?.[j])
      this.#open(this.#matrix(name), i, j);
  }

  /** What can be done with the numbers of a step. */
  #hint({ takes, makes }: Trace["steps"][number]): string {
    const shown = [...takes, ...makes].map((name) => this.#matrix(name));
    if (makes.some((name) => this.#matrix(name).how))
      return "Point at a number to see its sum, or tap it.";
    return shown.some(({ editable }) => editable)
      ? "Type over a number, or press ↑ or ↓ in it."
      : "";
  }

  #open(matrix: Matrix, i: number, j: number): void {
    this.#how.classList.add("sum");
    this.#opened = [matrix.name, i, j];
    const where =
      matrix.columns.length > 1 ? `${matrix.rows[i]}, ${matrix.columns[j]}` : matrix.rows[i];
    this.#how.textContent = `${matrix.name} (${where}): ${matrix.how?.[i]?.[j] ?? ""}`;
    for (const marked of this.#steps.querySelectorAll(".from, .opened"))
      marked.classList.remove("from", "opened");
    const section = this.#steps.querySelector("[data-current]") as HTMLElement;
    cellAt(section, matrix.name, i, j)?.classList.add("opened");
    for (const source of matrix.sources)
      for (const cell of cellsOf(section, source, i, j)) cell.classList.add("from");
  }
}

function cellAt(section: HTMLElement, name: string, i: number, j: number): HTMLElement | undefined {
  const table = section.querySelector<HTMLTableElement>(`table[data-name="${name}"]`);
  return table?.tBodies[0]?.rows[i]?.cells[j + 1];
}

/** The cells that a number is made from. */
function cellsOf(section: HTMLElement, source: Source, i: number, j: number): HTMLElement[] {
  const table = section.querySelector<HTMLTableElement>(`table[data-name="${source.matrix}"]`);
  const rows = [...(table?.tBodies[0]?.rows ?? [])];
  const at = source.by === "column" ? j : i;
  if (source.part === "row") return [...(rows[at]?.cells ?? [])].slice(1);
  if (source.part === "column") return rows.flatMap((row) => row.cells[at + 1] ?? []);
  const cell = rows[i]?.cells[j + 1];
  return cell ? [cell] : [];
}
