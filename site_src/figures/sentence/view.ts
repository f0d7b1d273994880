// The sentence: choose a word and see what it reads in layer 1 and where it points in layer 2.

import { element } from "../elements";
import { MatrixTable, NOTHING_TO_OPEN } from "../matrix";
import type { Figure, Matrix, Trace, View, Worded } from "../trace";
import { builder, changed, type Part } from "./builder";
import { isPlace, largest, Words } from "./words";

interface SentenceTrace extends Trace {
  inputs: Worded;
  parts: Part[];
  it: number;
}

const LAST_WORDS = ["tired", "wide"];

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new SentenceView(figure, stage);
}

class SentenceView implements View {
  #trace!: SentenceTrace;
  #wanted: Part[] = []; // what was last chosen: a quick second choice builds on the first
  #chosen: number | null = null; // null: "it", wherever it stands
  #maps: MatrixTable[] = [];
  readonly #words = new Words((index) => this.#choose(index));
  readonly #reads = element("p", { class: "reads" });
  readonly #points = element("p", { class: "points" });
  readonly #lastWords: HTMLElement[];
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    this.#lastWords = LAST_WORDS.map((word) => this.#toggle(word, () => this.#end(word)));
    this.#part(".figure-controls").append(
      element(
        "span",
        { role: "group", "aria-label": "Last word" },
        "… it was too ",
        ...this.#lastWords,
      ),
    );
    this.#words.element.append(this.#points, this.#reads);
    this.#part(".picture").append(this.#words.element);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    this.#part(".steps").addEventListener("click", (event) => this.#chooseRow(event));
  }

  get place(): unknown {
    return { word: this.#chosen };
  }

  set place(place: unknown) {
    const { word } = (place ?? {}) as { word?: unknown };
    this.#chosen = isPlace(word) ? word : null;
  }

  draw(trace: Trace): void {
    this.#trace = trace as SentenceTrace;
    this.#wanted = this.#trace.parts;
    const { words } = this.#trace.inputs;
    if (!words[this.#word]) this.#chosen = null;
    for (const [index, toggle] of this.#lastWords.entries())
      toggle.setAttribute("aria-pressed", String(words.at(-1) === LAST_WORDS[index]));
    this.#drawMaps(trace.matrices);
    this.#drawBuilder();
    this.#drawChosen();
  }

  get #word(): number {
    return this.#chosen ?? this.#trace.it;
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #toggle(text: string, click: () => void): HTMLElement {
    return element("button", { type: "button", "aria-pressed": "false", click }, text);
  }

  // What the reader does

  #choose(index: number): void {
    this.#chosen = index === this.#trace.it ? null : index;
    this.#drawChosen();
  }

  #chooseRow(event: Event): void {
    const row = (event.target as Element).closest("tbody tr") as HTMLTableRowElement | null;
    if (row) this.#choose(row.sectionRowIndex);
  }

  #end(word: string): void {
    this.#build(changed(this.#wanted, "last word", word));
  }

  #build(parts: Part[]): void {
    this.#wanted = parts;
    this.figure.change({ words: parts.map(({ value }) => value).filter(Boolean) });
  }

  // What is drawn

  #drawMaps(matrices: Matrix[]): void {
    const fit = this.#maps.length && this.#maps.every((map, i) => map.fits(matrices[i] as Matrix));
    if (!fit) {
      this.#maps = matrices.map((matrix) => new MatrixTable(matrix, NOTHING_TO_OPEN));
      for (const [index, place] of [...this.stage.querySelectorAll(".makes")].entries())
        place.replaceChildren((this.#maps[index] as MatrixTable).element);
    }
    for (const [index, map] of this.#maps.entries())
      map.update(matrices[index] as Matrix, undefined);
  }

  #drawBuilder(): void {
    const place = this.#part(".figure-below");
    const key = (document.activeElement as HTMLElement | null)?.dataset.key;
    const within = place.contains(document.activeElement);
    const fields = builder(
      this.#trace.parts,
      () => this.#wanted,
      (parts) => this.#build(parts),
    );
    place.replaceChildren(
      element("div", { class: "figure-words" }, element("span", {}, "Your own: "), ...fields),
    );
    if (within && key) place.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  }

  #drawChosen(): void {
    const { inputs, matrices, it } = this.#trace;
    const [reads, points] = matrices.map(({ values }) => values[this.#word] as number[]);
    const word = `“${inputs.words[this.#word]}”`;
    const trained = this.#word === it;
    this.#words.element.classList.toggle("untrained", !trained);
    this.#points.textContent = `Layer 2: where ${word} points${trained ? "" : " (not trained)"}`;
    this.#reads.textContent = `Layer 1: what ${word} reads`;
    this.#words.draw(inputs.words, this.#word, points ?? [], reads ?? []);
    this.#how.textContent =
      `${word} reads ${largest(inputs.words, reads ?? [])} in layer 1, and points at ` +
      `${largest(inputs.words, points ?? [])} in layer 2${trained ? "." : ", which nothing has trained it to do."}`;
    for (const [layer, map] of this.#maps.entries())
      for (const [index, row] of [...(map.element.tBodies[0]?.rows ?? [])].entries()) {
        row.classList.toggle("chosen", index === this.#word);
        row.classList.toggle("untrained", layer === 1 && index !== it);
      }
  }
}
