// The calculation: every input can be changed, words come and go, mistakes can be made on purpose.

import { element } from "../elements";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Inputs, Matrix, Trace, View } from "../trace";

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

  constructor(readonly figure: Figure) {}

  rows(trace: Trace): HTMLElement[] {
    this.#trace = trace;
    const choices = [this.#exampleChoice(), this.#mistakeChoice()];
    return [
      element("div", { class: "figure-controls" }, ...choices),
      element("div", { class: "figure-words" }, ...this.#wordFields(trace)),
    ];
  }

  edit(matrix: Matrix, i: number, j: number, text: string): void {
    const value = Number(text.trim().replace("−", "-").replace(",", "."));
    if (!text.trim() || !Number.isFinite(value)) {
      this.figure.say(`“${text}” is no number; the figure keeps the last one.`);
      return;
    }
    const table = structuredClone(this.#trace.inputs[matrix.name]) as number[][];
    (table[i] as number[])[j] = value;
    this.#change({ [matrix.name]: table });
  }

  #change(part: Record<string, Inputs[string]>): void {
    this.figure.change({ ...this.#trace.inputs, ...part });
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
        this.figure.change({ ...inputs, mistake: this.#trace.inputs.mistake ?? "none" });
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
    const { words } = trace.inputs;
    const X = trace.inputs.X as number[][];
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
