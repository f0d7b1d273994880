// All heads of a model as small maps; the chosen one enlarged, with arcs for one word.

import { element } from "../elements";
import { MatrixTable, NOTHING_TO_OPEN } from "../matrix";
import { range, within } from "../numbers";
import { isPlace, largest, Words } from "../sentence/words";
import type { Figure, Matrix, Trace, View } from "../trace";
import { HeadGrid } from "./grid";

interface HeadsTrace extends Trace {
  words: string[];
  word: number; // that is chosen at first
  heads: string[]; // names, layer by layer
  layers: number;
  first: number; // the head that is enlarged at first
  maps: number[][]; // of each head, row by row, in thousandths
  notes: Record<string, string>; // of heads by name: a sentence
  marks?: Record<string, [kind: string, says: string]>; // of heads by name
  choice?: { key: string; says: string; options: string[] }; // what the page's own inputs differ in
}

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new RealHeadsView(figure, stage);
}

class RealHeadsView implements View {
  #trace!: HeadsTrace;
  #head: number | null = null; // null: the trace's first
  #word: number | null = null;
  #tables: Record<string, MatrixTable> = {}; // by step
  readonly #choice = element("span", { role: "group" });
  readonly #grid = new HeadGrid((index) => this.#enlarge(index));
  readonly #words = new Words((index) => this.#choose(index));
  readonly #title = element("p", { class: "points" });
  readonly #legend = element("p", { class: "legend" });
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    this.#part(".figure-controls").append(this.#choice);
    this.#words.element.append(this.#title);
    this.#part(".picture").append(this.#grid.element, this.#legend, this.#words.element);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    this.#part(".steps").addEventListener("click", (event) => {
      const row = (event.target as Element).closest(`[data-step="head"] tbody tr`);
      if (row) this.#choose((row as HTMLTableRowElement).sectionRowIndex);
    });
  }

  get place(): unknown {
    return { head: this.#head, word: this.#word };
  }

  set place(place: unknown) {
    const { head, word } = (place ?? {}) as { head: unknown; word: unknown };
    this.#head = isPlace(head) ? head : null;
    this.#word = isPlace(word) ? word : null;
  }

  draw(trace: Trace): void {
    const earlier = this.#trace as HeadsTrace | undefined;
    this.#trace = trace as HeadsTrace;
    // The head that is enlarged stays so when the same heads read something else.
    if (earlier?.heads.length === this.#trace.heads.length) this.#head ??= earlier.first;
    const { heads, maps, layers, words, marks = {} } = this.#trace;
    this.#drawChoice();
    for (const section of this.stage.querySelectorAll<HTMLElement>(".step")) {
      const index = trace.steps.findIndex(({ key }) => key === section.dataset.step);
      section.hidden = index < 0;
      if (index > 0) this.#drawTable(section.dataset.step ?? "", trace.matrices[index] as Matrix);
    }
    this.#grid.draw(
      heads.map((name, index) => {
        const [mark, says] = marks[name] ?? ["", ""];
        return { name, mark, says, values: table(maps[index] as number[], words.length) };
      }),
      range(layers).map((layer) => layerOf(heads[(layer * heads.length) / layers] as string)),
    );
    this.#legend.replaceChildren(...legend(Object.values(marks)));
    this.#drawHead();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #choose(index: number): void {
    this.#word = index;
    this.#drawHead();
  }

  #enlarge(index: number): void {
    this.#head = index;
    this.#drawHead();
  }

  // What is drawn

  #drawChoice(): void {
    const { inputs, choice } = this.#trace;
    const { key, says, options } = choice ?? this.#pages;
    if (!this.#choice.childElementCount) {
      const button = (option: string) =>
        element(
          "button",
          { type: "button", click: () => this.figure.change({ [key]: option }) },
          option,
        );
      this.#choice.setAttribute("aria-label", says);
      this.#choice.replaceChildren(`${says} `, ...options.map(button));
    }
    for (const button of this.#choice.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(inputs[key] === button.textContent));
  }

  /** What a page's own traces offer, while those of a cell are shown. */
  get #pages(): { key: string; says: string; options: string[] } {
    const [first] = Object.values(this.figure.traces) as HeadsTrace[];
    return first?.choice ?? { key: "", says: "", options: [] };
  }

  #drawHead(): void {
    const { words, heads, maps, notes, matrices } = this.#trace;
    const [matrix] = matrices as [Matrix];
    const head = within(this.#head ?? this.#trace.first, heads.length);
    const word = within(this.#word ?? this.#trace.word, words.length);
    const name = heads[head] as string;
    const values = table(maps[head] as number[], words.length);
    const shares = values[word] as number[];
    this.#grid.select(head);
    this.#title.textContent = name;
    this.#how.textContent =
      `In ${name}, “${words[word]}” attends to ${largest(words, shares)}. ${notes[name] ?? ""}`.trim();
    const shown = values.map((row) => row.map((share) => share.toFixed(3).replace("-", "−")));
    const { element } = this.#drawTable("head", { ...matrix, title: name, values, shown });
    for (const [index, row] of [...(element.tBodies[0]?.rows ?? [])].entries())
      row.classList.toggle("chosen", index === word);
    this.#words.draw(words, word, shares, []); // last: it measures what stands
  }

  /** The table of a step, drawn in place where it fits. */
  #drawTable(step: string, matrix: Matrix): MatrixTable {
    let table = this.#tables[step];
    if (!table?.fits(matrix)) {
      table = this.#tables[step] = new MatrixTable(matrix, NOTHING_TO_OPEN);
      this.#part(`[data-step="${step}"] .makes`).replaceChildren(table.element);
    }
    table.update(matrix, undefined);
    return table;
  }
}

/** Thousandths in a row as a table of shares. */
function table(thousandths: number[], width: number): number[][] {
  return range(thousandths.length / width).map((row) =>
    thousandths.slice(row * width, (row + 1) * width).map((one) => one / 1000),
  );
}

/** "layer 5" of "layer 5, head 1". */
function layerOf(name: string): string {
  return name.split(",")[0] as string;
}

/** What each kind of mark means, and the colours. */
function legend(marks: [kind: string, says: string][]): HTMLElement[] {
  const kinds = [...new Map(marks)].map(([kind, says]) => element("span", { class: kind }, says));
  return [...kinds, element("span", {}, "colour: √ of the weight, so that small ones are seen")];
}
