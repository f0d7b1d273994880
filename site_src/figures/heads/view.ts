// The heads of a layer side by side as small maps; the chosen one enlarged, with arcs for one word.

import { element } from "../elements";
import { isPlace, largest, Words } from "../sentence/words";
import { svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Matrix, Trace, View, Worded } from "../trace";

interface HeadsTrace extends Trace {
  inputs: Worded;
  asked: number[][]; // for each head, the words that it was trained for
}

const LAST_WORDS = ["tired", "wide"];
const CELL = 9; // pixels of a small map's cells

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new HeadsView(figure, stage);
}

class HeadsView implements View {
  #trace!: HeadsTrace;
  #head = 0;
  #chosen: number | null = null; // null: the first word that the head was trained for
  readonly #words = new Words((index) => this.#choose(index));
  readonly #title = element("p", { class: "points" });
  readonly #maps = element("div", { class: "maps", role: "radiogroup", "aria-label": "Head" });
  readonly #lastWords: HTMLElement[];
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    this.#lastWords = LAST_WORDS.map((word) => {
      const click = () => figure.change({ words: this.#trace.inputs.words.with(-1, word) });
      return element("button", { type: "button", "aria-pressed": "false", click }, word);
    });
    this.#part(".figure-controls").append(
      element(
        "span",
        { role: "group", "aria-label": "Last word" },
        "… it was too ",
        ...this.#lastWords,
      ),
    );
    this.#words.element.append(this.#title);
    this.#part(".picture").append(this.#maps, this.#words.element);
    this.#maps.addEventListener("keydown", (event) => this.#move(event));
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    this.#part(".steps").addEventListener("click", (event) => {
      const row = (event.target as Element).closest("tbody tr") as HTMLTableRowElement | null;
      if (row) this.#choose(row.sectionRowIndex);
    });
  }

  get place(): unknown {
    return { head: this.#head, word: this.#chosen };
  }

  set place(place: unknown) {
    const { head, word } = (place ?? {}) as { head: unknown; word: unknown };
    this.#head = [0, 1, 2].includes(head as number) ? (head as number) : 0;
    this.#chosen = isPlace(word) ? word : null;
  }

  draw(trace: Trace): void {
    this.#trace = trace as HeadsTrace;
    const { words } = this.#trace.inputs;
    if (!words[this.#word]) this.#chosen = null;
    for (const [index, button] of this.#lastWords.entries())
      button.setAttribute("aria-pressed", String(words.at(-1) === LAST_WORDS[index]));
    drawTables(this.stage, trace);
    this.#drawMaps(trace.matrices);
    this.#drawHead();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  get #word(): number {
    return this.#chosen ?? (this.#trace.asked[this.#head]?.[0] as number);
  }

  #choose(index: number): void {
    this.#chosen = index;
    this.#drawHead();
  }

  #enlarge(head: number): void {
    this.#head = head;
    this.#chosen = null;
    this.#drawHead();
  }

  #move(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const button = by && (this.#maps.children[this.#head + by] as HTMLElement | undefined);
    if (!button) return;
    event.preventDefault();
    this.#enlarge(this.#head + by);
    button.focus();
  }

  // What is drawn

  /** All heads, small. */
  #drawMaps(matrices: Matrix[]): void {
    if (!this.#maps.childElementCount)
      this.#maps.append(
        ...matrices.map(({ name }, head) =>
          element(
            "button",
            { type: "button", role: "radio", click: () => this.#enlarge(head) },
            element("span", {}, name),
          ),
        ),
      );
    for (const [head, matrix] of matrices.entries()) {
      const button = this.#maps.children[head] as HTMLElement;
      button.querySelector("svg")?.remove();
      button.append(small(matrix));
    }
  }

  #drawHead(): void {
    const { inputs, matrices, asked, steps } = this.#trace;
    const { name, values } = matrices[this.#head] as Matrix;
    const shares = values[this.#word] as number[];
    const word = `“${inputs.words[this.#word]}”`;
    const trained = asked[this.#head]?.includes(this.#word) ?? false;
    this.#title.textContent = `Head “${name}”${trained ? "" : " (not trained for this word)"}`;
    this.#words.element.classList.toggle("untrained", !trained);
    this.#words.draw(inputs.words, this.#word, shares, []);
    this.#how.textContent =
      `In the head “${name}”, ${word} attends to ${largest(inputs.words, shares)}` +
      (trained ? "." : ", which nothing has trained it to do.");
    for (const [head, button] of [...this.#maps.children].entries()) {
      button.setAttribute("aria-checked", String(head === this.#head));
      button.setAttribute("tabindex", head === this.#head ? "0" : "-1");
    }
    for (const [head, section] of this.stage.querySelectorAll(".step").entries()) {
      section.toggleAttribute("data-current", head === this.#head);
      for (const [index, row] of section.querySelectorAll("tbody tr").entries()) {
        row.classList.toggle("chosen", index === this.#word);
        row.classList.toggle("untrained", !asked[head]?.includes(index));
      }
    }
    this.figure.show(steps[this.#head]?.key ?? "");
  }
}

/** A map without words: what a head looks like from afar. */
function small({ values }: Matrix): SVGElement {
  const size = values.length * CELL;
  const cells = values.flatMap((row, i) =>
    row.map((share, j) =>
      svg("rect", {
        x: j * CELL,
        y: i * CELL,
        width: CELL - 1,
        height: CELL - 1,
        style: `--share: ${share.toFixed(2)}`,
      }),
    ),
  );
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" }, ...cells);
}
