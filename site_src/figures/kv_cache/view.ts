// A text that grows word by word: its keys and values are kept, and only the last row is new.

import { element } from "../elements";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Matrix, Trace, View } from "../trace";

interface CacheTrace extends Trace {
  words: string[];
  told: string[]; // for each number of words, from 1
}

const START = 4; // words at first
const [TABLE, WORK] = [218, 104]; // heights
const TOP = 44; // room for headings
const NAMES = 44; // room for words
const KEPT = 26; // width of a key or a value
const KINDS = ["cached", "uncached"];
const WITH_CACHE = 3; // the column of the work

export default function createView(_: Figure, stage: HTMLElement): View {
  return new CacheView(stage);
}

class CacheView implements View {
  #trace!: CacheTrace;
  #count = START; // of words that are there
  #slider: Slider | null = null;
  readonly #table: Picture;
  readonly #work: Picture;
  readonly #how: HTMLElement;

  constructor(readonly stage: HTMLElement) {
    const places = [element("div"), element("div")] as const;
    this.#part(".picture").append(...places);
    this.#table = new Picture(places[0], TABLE);
    this.#work = new Picture(places[1], WORK);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { words: this.#count };
  }

  set place(place: unknown) {
    const { words } = place as { words: unknown };
    if (typeof words === "number") this.#count = words;
  }

  draw(trace: Trace): void {
    this.#trace = trace as CacheTrace;
    drawTables(this.stage, trace);
    const { words } = this.#trace;
    if (!words[this.#count - 1]) this.#count = Math.min(START, words.length);
    if (this.#slider?.values.length !== words.length) this.#slide(words.length);
    this.#slider?.show(this.#count);
    this.#draw();
  }

  /** A slider over so many words. */
  #slide(most: number): void {
    const counts = Array.from({ length: most }, (_, index) => index + 1);
    this.#slider = new Slider("Words", counts, String, (count) => {
      this.#count = count;
      this.#draw();
    });
    this.#part(".figure-controls").replaceChildren(this.#slider.element);
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #draw(): void {
    const { words, told, matrices } = this.#trace;
    const [weights, work] = matrices as [Matrix, Matrix];
    const says = told[this.#count - 1] ?? "";
    this.#how.textContent = says;
    this.#table.show(says, (width) => table(width, words, weights, this.#count));
    this.#work.show(`Multiply-adds for the word “${words[this.#count - 1]}”`, (width) =>
      bars(width, work, this.#count - 1),
    );
  }
}

/** A row for each word: its key and its value, and its row of weights. */
function table(width: number, words: string[], { values, shown }: Matrix, count: number): Node[] {
  const tall = (TABLE - TOP) / words.length;
  const start = NAMES + 2 * KEPT + 14;
  const wide = Math.min((width - start) / words.length, 56);
  const box = (kind: string, x: number, row: number, w: number) =>
    svg("rect", {
      class: kind,
      x: x + 1,
      y: TOP + row * tall + 1,
      width: w - 2,
      height: tall - 2,
      rx: 2,
    });
  const middle = (row: number) => TOP + (row + 0.5) * tall + 4;
  const rows = words.flatMap((word, i) => {
    const kind = i < count - 1 ? "kept" : i < count ? "kept new" : "missing";
    const x = (j: number) => start + j * wide;
    const drawn: Node[] = [
      label(NAMES - 6, middle(i), word, "end", i < count ? "there" : "missing"),
      box(`${kind} k`, NAMES, i, KEPT),
      box(`${kind} v`, NAMES + KEPT, i, KEPT),
    ];
    for (let j = 0; j <= i && i < count; j += 1) {
      const cell = box(i < count - 1 ? "past" : "row", x(j), i, wide);
      drawn.push(cell);
      if (i < count - 1) continue;
      cell.style.setProperty("--share", String(values[i]?.[j] ?? 0));
      drawn.push(label(x(j) + wide / 2, middle(i), shown[i]?.[j] ?? "", "middle", "number"));
    }
    return drawn;
  });
  return [
    label(NAMES, 14, "Kept", "start", "title"),
    label(start, 14, "Weights, row by row", "start", "title"),
    label(NAMES + KEPT / 2, TOP - 8, "K", "middle", "k"),
    label(NAMES + 1.5 * KEPT, TOP - 8, "V", "middle", "v"),
    label(start, TOP - 8, "earlier ones: not needed again", "start"),
    ...rows,
  ];
}

/** The work for one word, against the most that any word takes. */
function bars(width: number, { values, shown }: Matrix, row: number): Node[] {
  const most = Math.max(...values.map((one) => one[WITH_CACHE + 1] ?? 0));
  const left = 66;
  const drawn = KINDS.flatMap((kind, index) => {
    const y = 40 + index * 30;
    const value = values[row]?.[WITH_CACHE + index] ?? 0;
    const text = shown[row]?.[WITH_CACHE + index] ?? "";
    const long = (value / most) * (width - left - 70);
    return [
      label(0, y + 16, kind, "start"),
      svg("rect", { class: kind, x: left, y: y + 3, width: Math.max(long, 1), height: 18, rx: 2 }),
      label(left + long + 6, y + 16, text, "start"),
    ];
  });
  return [label(0, 28, "Multiply-adds for the new word", "start", "title"), ...drawn];
}
