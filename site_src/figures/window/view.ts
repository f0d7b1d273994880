// The window's mask beside the way that news takes, layer by layer, to the last word.

import { element } from "../elements";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface WindowTrace extends Trace {
  words: string[];
  first: number[][]; // after each number of layers, from 0: the first word that each hears of
  told: string[]; // for each number of layers, from 1
}

const START = 2; // layers at first
const HEIGHT = 270;
const NAMES = 58; // room for words

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new WindowView(figure, stage);
}

class WindowView implements View {
  #trace!: WindowTrace;
  #layers = START;
  readonly #window: Slider;
  readonly #depth: Slider;
  readonly #mask: Picture;
  readonly #reach: Picture;
  readonly #how: HTMLElement;

  constructor(
    figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const traces = Object.values(figure.traces) as WindowTrace[];
    const windows = traces.map(({ inputs }) => inputs.window as number);
    const layers = (traces[0]?.told ?? []).map((_, index) => index + 1);
    this.#window = new Slider("Window", windows, String, (window) => figure.change({ window }));
    this.#depth = new Slider("Layers", layers, String, (chosen) => {
      this.#layers = chosen;
      this.#draw();
    });
    this.#part(".figure-controls").append(this.#window.element, this.#depth.element);
    const places = [element("div"), element("div")] as const;
    this.#part(".picture").append(...places);
    this.#mask = new Picture(places[0], HEIGHT);
    this.#reach = new Picture(places[1], HEIGHT);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { layers: this.#layers };
  }

  set place(place: unknown) {
    const { layers } = place as { layers: unknown };
    if (typeof layers === "number") this.#layers = layers;
  }

  draw(trace: Trace): void {
    this.#trace = trace as WindowTrace;
    drawTables(this.stage, trace);
    const { told } = this.#trace;
    if (!told[this.#layers - 1]) this.#layers = START;
    this.#window.show(trace.inputs.window as number);
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #draw(): void {
    const { words, first, told } = this.#trace;
    this.#depth.show(this.#layers);
    const says = told[this.#layers - 1] ?? "";
    this.#how.textContent = says;
    this.#mask.show("Who sees whom in one layer", (width) => table(width, words, first[1] ?? []));
    this.#reach.show(says, (width) => layers(width, words, first, this.#layers));
  }
}

/** A row for each query: filled from the first word that it sees up to itself. */
function table(width: number, words: string[], first: number[]): Node[] {
  const size = Math.min((width - NAMES - 8) / words.length, 22);
  const top = 84;
  const x = (column: number) => NAMES + column * size;
  const y = (row: number) => top + row * size;
  const cells = words.flatMap((_, i) =>
    words.map((_, j) =>
      svg("rect", {
        class: j <= i && j >= (first[i] ?? 0) ? "seen" : "unseen",
        x: x(j) + 1,
        y: y(i) + 1,
        width: size - 2,
        height: size - 2,
        rx: 2,
      }),
    ),
  );
  const names = words.flatMap((word, index) => [
    label(NAMES - 6, y(index) + size / 2 + 4, word, "end"),
    upright(x(index) + size / 2, top - 6, word, "start"),
  ]);
  return [
    label(0, 14, "Who sees whom", "start", "title"),
    label(NAMES - 6, top - 6, "query", "end", "axis"),
    label(x(words.length) + 4, top - 6, "key", "start", "axis"),
    ...cells,
    ...names,
  ];
}

/** The words below, a row of states for each layer above; lit: what the last state hears of. */
function layers(width: number, words: string[], first: number[][], count: number): Node[] {
  const last = words.length - 1;
  const [left, right, top, bottom] = [52, 12, 40, HEIGHT - 62];
  const x = (word: number) => left + ((width - left - right) * word) / last;
  const y = (layer: number) => bottom - ((bottom - top) * layer) / count;
  const lit = (layer: number, word: number) => word >= (first[count - layer]?.[last] ?? 0);
  const ways: Node[] = [];
  const dots: Node[] = [];
  for (let layer = 0; layer <= count; layer += 1)
    for (const word of words.keys()) {
      const kind = lit(layer, word) && (layer < count || word === last) ? "heard" : "word";
      dots.push(svg("circle", { class: kind, cx: x(word), cy: y(layer), r: 4.5 }));
      if (layer === 0) continue;
      for (let from = first[1]?.[word] ?? 0; from <= word; from += 1) {
        const way = `M${x(from)} ${y(layer - 1)} L${x(word)} ${y(layer)}`;
        const taken = svg("path", { class: kind === "heard" ? "taken" : "other", d: way });
        if (kind === "heard") ways.push(taken);
        else ways.unshift(taken);
      }
    }
  const names = words.map((word, index) => upright(x(index) + 4, bottom + 12, word, "end"));
  const rows = Array.from({ length: count + 1 }, (_, layer) =>
    label(0, y(layer) + 4, layer ? `layer ${layer}` : "words", "start"),
  );
  const title = label(0, 14, `What reaches “${words[last]}”`, "start", "title");
  return [title, ...ways, ...dots, ...rows, ...names];
}

function upright(x: number, y: number, text: string, anchor: "start" | "end"): SVGElement {
  const made = label(0, 0, text, anchor);
  made.setAttribute("transform", `translate(${x + (anchor === "start" ? 4 : 0)} ${y}) rotate(-90)`);
  return made;
}
