// A figure that is read step by step: each step's matrices, each number with the sum that made it.

import { element } from "./elements";
import { table } from "./matrix";
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
    this.#step = Number(step) || 0;
    this.#opened = Array.isArray(opened) ? opened : null;
  }

  draw(trace: Trace): void {
    const focused = focusOf(this.stage);
    this.#trace = trace;
    this.#step = Math.min(this.#step, trace.steps.length - 1);
    const { controls, below } = this.extras;
    this.#controls.replaceChildren(...this.#navigation(), ...(controls?.(trace) ?? []));
    this.#steps.replaceChildren(...trace.steps.map((_, index) => this.#section(index)));
    this.#below.replaceChildren(...(below?.(trace) ?? []));
    this.figure.show(trace.steps[this.#step]?.key ?? "");
    this.#reopen();
    restoreFocus(this.stage, focused);
  }

  // Steps

  #navigation(): HTMLElement[] {
    const count = this.#trace.steps.length;
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
    const made = element(
      "section",
      { class: "step", "data-step": step.key },
      element("p", { class: "step-title" }, `${index + 1}. ${step.title}`),
      element("p", { class: "step-says" }, step.says),
      element(
        "div",
        { class: "matrices" },
        element("div", { class: "takes" }, ...step.takes.map((name) => this.#table(name))),
        element("div", { class: "makes" }, ...step.makes.map((name) => this.#table(name))),
      ),
    );
    made.toggleAttribute("data-current", index === this.#step);
    return made;
  }

  #table(name: string): HTMLTableElement {
    const matrix = this.#trace.matrices.find((one) => one.name === name) as Matrix;
    return table(matrix, this.#trace.changed?.[name], {
      open: (one, i, j) => this.#open(one, i, j),
      edit: (one, i, j, text) => this.extras.edit?.(one, i, j, text),
    });
  }

  // One number

  /** After a redrawing, or from a link: the same number again, if it is in this step. */
  #reopen(): void {
    this.#how.textContent = "Point at a number to see the sum that made it.";
    const [name, i, j] = this.#opened ?? ["", 0, 0];
    const makes = this.#trace.steps[this.#step]?.makes ?? [];
    const matrix = this.#trace.matrices.find((one) => one.name === name);
    if (matrix && makes.includes(name) && matrix.how?.[i]?.[j]) this.#open(matrix, i, j);
  }

  #open(matrix: Matrix, i: number, j: number): void {
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

/** A description of what has the focus that survives a redrawing. */
function focusOf(stage: HTMLElement): string | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !stage.contains(focused)) return null;
  if (focused.dataset.key) return `[data-key="${focused.dataset.key}"]`;
  const label = focused.getAttribute("aria-label")?.split(":")[0];
  return label ? `[data-current] [aria-label^="${CSS.escape(label)}"]` : null;
}

function restoreFocus(stage: HTMLElement, selector: string | null): void {
  if (!selector) return;
  const found = stage.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLInputElement)
    found.setSelectionRange(found.value.length, found.value.length);
}
