// The calculation: every input can be changed, words come and go, mistakes can be made on purpose.

import { element } from "../elements";
import { numberIn } from "../matrix";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Inputs, Matrix, Trace, View, Worded } from "../trace";

const MOST_WORDS = 8;

export default function createView(figure: Figure, stage: HTMLElement): View {
  const inputs = new CalculationInputs(figure);
  return new Stepper(figure, stage, {
    below: (trace) => inputs.rows(trace),
    edit: (matrix, i, j, text) => inputs.edit(matrix, i, j, text),
  });
}

class CalculationInputs {
  #trace!: Trace;
  #wanted!: Worded; // what was last asked for: a quick second change builds on the first

  constructor(readonly figure: Figure) {}

  rows(trace: Trace): HTMLElement[] {
    if (trace !== this.#trace) this.#wanted = trace.inputs as Worded;
    this.#trace = trace;
    const choices = [this.#exampleChoice(), this.#mistakeChoice()];
    return [
      element("div", { class: "figure-controls" }, ...choices),
      element("div", { class: "figure-words" }, ...this.#wordFields(trace)),
    ];
  }

  edit(matrix: Matrix, i: number, j: number, text: string): void {
    const table = structuredClone(this.#wanted[matrix.name]) as number[][];
    (table[i] as number[])[j] = numberIn(text) ?? 0;
    this.#change({ [matrix.name]: table });
  }

  #change(part: Inputs): void {
    this.#wanted = { ...this.#wanted, ...part };
    this.figure.change(this.#wanted);
  }

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
        this.#change({ ...inputs, mistake: this.#wanted.mistake ?? "none" });
      },
    );
    return element("label", {}, "Example ", choice);
  }

  #mistakeChoice(): HTMLElement {
    const choice = select(
      "mistake",
      Object.entries(this.#trace.mistakes ?? {}),
      String(this.#trace.inputs.mistake),
      (mistake) => this.#change({ mistake }),
    );
    return element("label", {}, "Mistake ", choice);
  }

  #wordFields(trace: Trace): HTMLElement[] {
    const { words } = trace.inputs as Worded;
    const button = (key: string, label: string, name: string, off: boolean, act: () => void) =>
      element(
        "button",
        {
          type: "button",
          "data-key": key,
          "aria-label": name,
          "aria-disabled": String(off),
          click: () => {
            if (!off) act();
          },
        },
        label,
      );
    const fields = words.map((word, index) => {
      const field = element("input", {
        "aria-label": `Word ${index + 1}`,
        "data-key": `word ${index}`,
        value: word,
        size: "7",
      });
      field.addEventListener("change", () => this.#rename(index, field.value));
      const remove = button(`remove ${index}`, "×", `Remove ${word}`, words.length === 1, () =>
        this.#remove(index),
      );
      return element("span", { class: "word" }, field, remove);
    });
    const full = words.length === MOST_WORDS;
    const add = button("add", "Add a word", "Add a word", full, () => this.#add());
    return [element("span", {}, "Words "), ...fields, add];
  }

  #rename(index: number, word: string): void {
    this.#change({ words: this.#wanted.words.with(index, word.trim() || `word ${index + 1}`) });
  }

  #remove(index: number): void {
    const { words, X } = this.#wanted;
    this.#change({ words: words.toSpliced(index, 1), X: (X as number[][]).toSpliced(index, 1) });
  }

  #add(): void {
    const { words } = this.#wanted;
    const X = this.#wanted.X as number[][];
    const row = (X[0] as number[]).map(() => 1);
    this.#change({ words: [...words, `word ${words.length + 1}`], X: [...X, row] });
  }
}
