// The calculation, step by step: every number opens the sum that made it, every input can be changed.

import { element } from "../elements";
import { table } from "../matrix";
import type { Figure, Inputs, Matrix, Source, Trace, View } from "../trace";

const MOST_WORDS = 8;

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new Calculation(figure, stage);
}

class Calculation implements View {
  #trace!: Trace;
  #step = 0;
  #opened: [string, number, number] | null = null;
  readonly #steps = element("div", { class: "steps" });
  readonly #how = element("p", { class: "how", role: "status" });
  readonly #controls = element("div", { class: "figure-controls" });
  readonly #words = element("div", { class: "figure-words" });

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    stage.replaceChildren(this.#controls, this.#steps, this.#how, this.#words);
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
    this.#controls.replaceChildren(
      ...this.#navigation(),
      this.#exampleChoice(),
      this.#mistakeChoice(),
    );
    this.#steps.replaceChildren(...trace.steps.map((_, index) => this.#section(index)));
    this.#words.replaceChildren(...this.#wordFields());
    this.#reopen();
    restoreFocus(this.stage, focused);
  }

  // Steps

  #navigation(): HTMLElement[] {
    const count = this.#trace.steps.length;
    const go = (by: number) => () => this.#goTo(this.#step + by);
    return [
      element(
        "button",
        {
          type: "button",
          "data-key": "back",
          "aria-disabled": String(this.#step === 0),
          click: go(-1),
        },
        "Back",
      ),
      element(
        "button",
        {
          type: "button",
          "data-key": "next",
          "aria-disabled": String(this.#step === count - 1),
          click: go(1),
        },
        "Next",
      ),
      element("span", { class: "step-count" }, `Step ${this.#step + 1} of ${count}`),
    ];
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
    return table(matrix, this.#trace.changed[name], {
      open: (one, i, j) => this.#open(one, i, j),
      edit: (one, i, j, text) => this.#edit(one, i, j, text),
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

  #edit(matrix: Matrix, i: number, j: number, text: string): void {
    const value = Number(text.trim().replace("−", "-").replace(",", "."));
    if (!text.trim() || !Number.isFinite(value)) {
      this.figure.say(`“${text}” is no number; the figure keeps the last one.`);
      return;
    }
    const table = structuredClone(this.#trace.inputs[matrix.name]) as number[][];
    (table[i] as number[])[j] = value;
    this.#change({ [matrix.name]: table });
  }

  #change(part: Partial<Inputs>): void {
    this.figure.change({ ...this.#trace.inputs, ...part } as Inputs);
  }

  // Examples, mistakes, words

  #exampleChoice(): HTMLElement {
    const names = [
      ...new Set(Object.keys(this.figure.traces).map((key) => key.split("/")[0] as string)),
    ];
    const current = names.find(
      (name) =>
        JSON.stringify(this.figure.traces[`${name}/none`]?.inputs.X) ===
        JSON.stringify(this.#trace.inputs.X),
    );
    const choice = select(
      "example",
      names.map((name) => [name, name]),
      current ?? "",
      (name) => {
        const { inputs } = this.figure.traces[`${name}/none`] as Trace;
        this.figure.change({ ...inputs, mistake: this.#trace.inputs.mistake });
      },
    );
    return element("label", {}, "Example ", choice);
  }

  #mistakeChoice(): HTMLElement {
    const choice = select(
      "mistake",
      Object.entries(this.#trace.mistakes),
      this.#trace.inputs.mistake,
      (mistake) => this.#change({ mistake }),
    );
    return element("label", {}, "Mistake ", choice);
  }

  #wordFields(): HTMLElement[] {
    const { words } = this.#trace.inputs;
    const X = this.#trace.inputs.X as number[][];
    const fields = words.map((word, index) => {
      const field = element("input", {
        "aria-label": `Word ${index + 1}`,
        "data-key": `word ${index}`,
        value: word,
        size: "7",
      });
      field.addEventListener("change", () =>
        this.#change({ words: words.with(index, field.value) }),
      );
      const remove = element(
        "button",
        {
          type: "button",
          "data-key": `remove ${index}`,
          "aria-label": `Remove ${word}`,
          "aria-disabled": String(words.length === 1),
          click: () => {
            if (words.length > 1)
              this.#change({ words: words.toSpliced(index, 1), X: X.toSpliced(index, 1) });
          },
        },
        "×",
      );
      return element("span", { class: "word" }, field, remove);
    });
    const add = element(
      "button",
      {
        type: "button",
        "data-key": "add",
        "aria-disabled": String(words.length === MOST_WORDS),
        click: () => {
          if (words.length === MOST_WORDS) return;
          const row = (X[0] as number[]).map(() => 1);
          this.#change({ words: [...words, `word ${words.length + 1}`], X: [...X, row] });
        },
      },
      "Add a word",
    );
    return [element("span", {}, "Words "), ...fields, add];
  }
}

function select(
  key: string,
  options: [string, string][],
  current: string,
  choose: (value: string) => void,
) {
  const made = element(
    "select",
    { "data-key": key },
    ...options.map(([value, label]) =>
      element("option", { value, selected: value === current }, label),
    ),
  );
  if (!options.some(([value]) => value === current)) made.selectedIndex = -1;
  made.addEventListener("change", () => choose(made.value));
  return made;
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
