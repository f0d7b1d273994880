// The way from the first word to the last, through a chain and at once, and what is left at its end.

import { element } from "../elements";
import { range } from "../numbers";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface PathTrace extends Trace {
  lengths: number[];
  paths: [number[], number[]]; // steps for each length: RNN, attention
  influence: [number[], number[]];
  shown: [string[], string[]]; // the same as text
}

const START = 20; // words at first
const MARGIN = 12;
const [LOWEST, HIGHEST] = [-12, 3]; // powers of ten on the chart
const POWERS: [number, string][] = [
  [HIGHEST, "1,000"],
  [0, "1"],
  [-3, "10⁻³"],
  [-6, "10⁻⁶"],
  [-9, "10⁻⁹"],
  [LOWEST, "10⁻¹²"],
];

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new PathView(figure, stage);
}

class PathView implements View {
  #trace!: PathTrace;
  #words = START;
  readonly #length: Slider;
  readonly #radius: Slider;
  readonly #chains: Picture;
  readonly #chart: Picture;
  readonly #how: HTMLElement;

  constructor(
    figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const [first] = Object.values(figure.traces) as PathTrace[];
    const radii = Object.values(figure.traces).map(
      ({ inputs }) => inputs.spectral_radius as number,
    );
    this.#length = new Slider("Words", first?.lengths ?? [], String, (words) => {
      this.#words = words;
      this.#draw();
    });
    this.#radius = new Slider("RNN’s spectral radius", radii, String, (spectral_radius) =>
      figure.change({ spectral_radius }),
    );
    this.#part(".figure-controls").append(this.#length.element, this.#radius.element);
    const picture = this.#part(".picture");
    const places = [element("div"), element("div")] as const;
    picture.append(...places);
    this.#chains = new Picture(places[0], 190);
    this.#chart = new Picture(places[1], 230);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { words: this.#words };
  }

  set place(place: unknown) {
    const { words } = place as { words: unknown };
    if (typeof words === "number") this.#words = words;
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#trace = trace as PathTrace;
    const { lengths } = this.#trace;
    if (!lengths.includes(this.#words)) this.#words = START;
    this.#length.show(this.#words);
    this.#radius.show(trace.inputs.spectral_radius as number);
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #draw(): void {
    const { lengths, paths, shown } = this.#trace;
    const at = lengths.indexOf(this.#words);
    const [inChain, atOnce] = paths.map((row) => countOf(row[at] ?? 0)) as [string, string];
    const [left, share] = shown.map((row) => row[at]);
    this.#how.textContent =
      `From word 1 to word ${this.#words}: ${inChain} through the RNN, ${atOnce} through attention. ` +
      `Of word 1’s influence on word 2, ${left} reaches word ${this.#words} through the RNN, ` +
      `${share} through attention.`;
    this.#chains.show(`${inChain} through the RNN, ${atOnce} through attention`, (width) =>
      chains(width, this.#words, [inChain, atOnce]),
    );
    this.#chart.show(this.#trace.picture ?? "", (width) => chart(width, this.#trace, at));
  }
}

function countOf(steps: number): string {
  return `${steps} ${steps === 1 ? "step" : "steps"}`;
}

// The words, once in a chain and once all linked

function chains(width: number, words: number, counts: [string, string]): Node[] {
  const x = (word: number) => MARGIN + (word * (width - 2 * MARGIN)) / (words - 1);
  const radius = Math.min(7, (width - 2 * MARGIN) / words / 3);
  const [chainY, linkedY] = [52, 172];
  const hops = range(words - 1).map((word) =>
    svg("path", {
      class: "taken",
      d: `M${x(word) + radius} ${chainY} L${x(word + 1) - radius} ${chainY}`,
    }),
  );
  const links = range(words - 1).map((word) =>
    svg("path", {
      class: word ? "other" : "taken",
      d: arc(x(word), x(words - 1), linkedY - radius),
    }),
  );
  const dots = [chainY, linkedY].flatMap((y) =>
    range(words).map((word) =>
      svg("circle", {
        cx: x(word),
        cy: y,
        r: radius,
        class: word && word < words - 1 ? "word" : "end",
      }),
    ),
  );
  return [
    label(0, 22, `RNN: ${counts[0]}, one after the other`, "start", "title"),
    ...hops,
    label(0, 102, `Attention: ${counts[1]}`, "start", "title"),
    ...links.reverse(),
    ...dots,
  ];
}

function arc(from: number, to: number, y: number): string {
  const depth = 12 + (to - from) * 0.12;
  const height = Math.min(depth, 70);
  return `M${from} ${y} C${from + height / 3} ${y - height}, ${to - height / 3} ${y - height}, ${to} ${y}`;
}

// Influence against length, on a logarithmic scale

function chart(width: number, { lengths, influence }: PathTrace, at: number): Node[] {
  const [left, right, top, bottom] = [44, 8, 30, 200];
  const last = lengths.length - 1;
  const x = (index: number) => left + (index * (width - left - right)) / last;
  const y = (value: number) => {
    const power = Math.min(Math.max(Math.log10(value), LOWEST), HIGHEST);
    return bottom - ((bottom - top) * (power - LOWEST)) / (HIGHEST - LOWEST);
  };
  const grid = POWERS.flatMap(([power, name]) => [
    svg("path", { class: "grid", d: `M${left} ${y(10 ** power)} H${width - right}` }),
    label(left - 6, y(10 ** power) + 4, name, "end"),
  ]);
  const ticks = [2, 16, 32, 48, 64].map((n) =>
    label(x(lengths.indexOf(n)), bottom + 18, String(n)),
  );
  const lines = influence.flatMap((row, kind) => {
    const name = kind ? "attention" : "rnn";
    const value = row[at] ?? 0;
    return [
      svg("polyline", {
        class: name,
        points: row.map((share, index) => `${x(index)},${y(share)}`).join(" "),
      }),
      svg("circle", { class: `${name} here`, cx: x(at), cy: y(value), r: 5 }),
    ];
  });
  const ends = influence.map((row) => y(row[last] ?? 0));
  const names = ["RNN", "attention"].map((name, kind) => {
    const above = (ends[kind] ?? 0) < (ends[1 - kind] ?? 0);
    const edge = (ends[kind] ?? 0) + (above ? -9 : 18);
    return label(x(last), Math.min(edge, bottom - 6), name, "end", kind ? "attention" : "rnn");
  });
  const title = label(0, 14, "What is left of the first word’s influence", "start", "title");
  return [title, ...grid, ...ticks, ...lines, ...names];
}
