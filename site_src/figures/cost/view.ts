// Cost against the number of words on logarithmic scales, and the table of scores, once and doubled.

import { element } from "../elements";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import type { Figure, Trace, View } from "../trace";

type Costs = Record<string, number[]>; // by kind of layer, for each number of words

interface CostTrace extends Trace {
  lengths: number[];
  leading: Costs;
  layers: Costs;
  told: string[][]; // both of these as text, row by row
  bytes: string[]; // of the table, one length more: twice the last
}

const START = 1024; // words at first
const [CHART, TABLES] = [330, 172]; // heights
const [LOWEST, HIGHEST] = [4, 14.3]; // powers of ten on the chart
const POWERS: [number, string][] = [
  [6, "million"],
  [9, "billion"],
  [12, "trillion"],
];
const TICKS = [16, 256, 4096, 65536];
const HALF_A_LETTER = 3.8; // pixels
const SIDE = 48; // of the smaller table
const APART = 220; // the larger one from it, at most

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new CostView(figure, stage);
}

class CostView implements View {
  #trace!: CostTrace;
  #words = START;
  #whole = false; // whole layers, or leading terms
  readonly #length: Slider;
  readonly #width: Slider;
  readonly #double = element(
    "button",
    { type: "button", click: () => this.#doubled() },
    "Double n",
  );
  readonly #layers = element(
    "button",
    { type: "button", click: () => this.#turn() },
    "Whole layers",
  );
  readonly #chart: Picture;
  readonly #tables: Picture;
  readonly #how: HTMLElement;

  constructor(figure: Figure, stage: HTMLElement) {
    const traces = Object.values(figure.traces) as CostTrace[];
    this.#length = new Slider("n, words", traces[0]?.lengths ?? [], written, (words) => {
      this.#words = words;
      this.#draw();
    });
    const widths = traces.map(({ inputs }) => inputs.d as number);
    this.#width = new Slider("d, numbers a word", widths, written, (d) => figure.change({ d }));
    stage
      .querySelector(".figure-controls")
      ?.append(this.#length.element, this.#width.element, this.#double, this.#layers);
    const places = [element("div"), element("div")] as const;
    stage.querySelector(".picture")?.append(...places);
    this.#chart = new Picture(places[0], CHART);
    this.#tables = new Picture(places[1], TABLES);
    this.#how = stage.querySelector(".how") as HTMLElement;
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { words: this.#words, whole: this.#whole };
  }

  set place(place: unknown) {
    const { words, whole } = place as { words: unknown; whole: unknown };
    if (typeof words === "number") this.#words = words;
    this.#whole = whole === true;
  }

  draw(trace: Trace): void {
    this.#trace = trace as CostTrace;
    if (!this.#trace.lengths.includes(this.#words)) this.#words = START;
    this.#width.show(trace.inputs.d as number);
    this.#draw();
  }

  #doubled(): void {
    if (!this.#trace.lengths.includes(2 * this.#words)) return;
    this.#words *= 2;
    this.#draw();
  }

  #turn(): void {
    this.#whole = !this.#whole;
    this.#draw();
  }

  #draw(): void {
    const { lengths, bytes, inputs, leading, layers } = this.#trace;
    const at = lengths.indexOf(this.#words);
    this.#length.show(this.#words);
    this.#layers.setAttribute("aria-pressed", String(this.#whole));
    this.#double.setAttribute("aria-disabled", String(at === lengths.length - 1));
    this.#how.textContent = this.#told(at);
    const d = inputs.d as number;
    const costs = this.#whole ? layers : leading;
    const name = this.#whole ? "Multiply-adds of whole layers" : "Leading terms of the cost";
    this.#chart.show(`${name}, against the number of words`, (width) =>
      chart(width, lengths, costs, at, this.#whole ? layersCrossing(d) : termsCrossing(d)),
    );
    const tables = [0, 1].map((more): [string, string] => [
      written(this.#words * (1 + more)),
      bytes[at + more] ?? "",
    ]);
    this.#tables.show(
      `The table of scores: ${tables.map(([words, bytes]) => `${words} words, ${bytes}`).join("; ")}`,
      (width) => squares(width, tables),
    );
  }

  #told(at: number): string {
    const { told, bytes, inputs } = this.#trace;
    const [attention, rnn, ...whole] = told.map((row) => row[at]);
    const costs = this.#whole
      ? `Multiply-adds of a layer: attention ${whole[0]}, RNN ${whole[1]}, LSTM ${whole[2]}.`
      : `n²·d, for attention: ${attention}. n·d², for an RNN: ${rnn}.`;
    return (
      `${written(this.#words)} words of ${written(inputs.d as number)} numbers. ${costs} ` +
      `The table of scores takes ${bytes[at]}, and four times that, ${bytes[at + 1]}, for twice the words.`
    );
  }
}

function written(count: number): string {
  return count.toLocaleString("en-GB");
}

// The chart

interface Crossing {
  words: number;
  says: string;
  kind: string; // a curve that passes through it
}

function termsCrossing(d: number): Crossing {
  return { words: d, says: `equal at n = d = ${written(d)}`, kind: "attention" };
}

function layersCrossing(d: number): Crossing {
  return { words: 2 * d, says: `attention = LSTM at n = 2d = ${written(2 * d)}`, kind: "LSTM" };
}

function chart(
  width: number,
  lengths: number[],
  costs: Costs,
  at: number,
  crossing: Crossing,
): Node[] {
  const [left, right, top, bottom] = [58, 12, 54, CHART - 44];
  const [first, last] = [lengths[0] ?? 1, lengths.at(-1) ?? 1];
  const x = (n: number) =>
    left + ((width - left - right) * Math.log(n / first)) / Math.log(last / first);
  const y = (cost: number) =>
    bottom - ((bottom - top) * (Math.log10(cost) - LOWEST)) / (HIGHEST - LOWEST);
  const grid = POWERS.flatMap(([power, name]) => [
    svg("path", { class: "grid", d: `M${left} ${y(10 ** power)} H${width - right}` }),
    label(left - 6, y(10 ** power) + 4, name, "end"),
  ]);
  const ticks = TICKS.map((n) => label(x(n), bottom + 18, written(n)));
  const lines = Object.entries(costs).flatMap(([kind, row]) => [
    svg("polyline", {
      class: kind,
      points: row.map((cost, index) => `${x(lengths[index] ?? 1)},${y(cost)}`).join(" "),
    }),
    svg("circle", { class: `${kind} here`, cx: x(lengths[at] ?? 1), cy: y(row[at] ?? 1), r: 5 }),
  ]);
  return [
    label(0, 14, "Multiply-adds, both scales logarithmic", "start", "title"),
    ...grid,
    ...ticks,
    label(width - right, bottom + 36, "words, n", "end"),
    svg("path", { class: "grid", d: `M${left} ${bottom} H${width - right}` }),
    ...crossed(crossing, x, top, bottom, width),
    ...lines,
    ...names(costs, lengths, x, y),
  ];
}

/** A line where two curves meet, and what it means. */
function crossed(
  { words, says }: Crossing,
  x: (n: number) => number,
  top: number,
  bottom: number,
  width: number,
): Node[] {
  const half = says.length * HALF_A_LETTER;
  const middle = Math.min(Math.max(x(words), half), width - half);
  return [
    svg("path", { class: "crossing", d: `M${x(words)} ${top - 8} V${bottom}` }),
    label(middle, top - 12, says, "middle", "title"),
  ];
}

// Where the name of each curve stands, so that no line runs through it.
const NAMED: Record<string, { before: number; anchor: "start" | "end"; below: number }> = {
  attention: { before: 2, anchor: "end", below: -10 },
  RNN: { before: 3, anchor: "start", below: 20 },
  LSTM: { before: 11, anchor: "end", below: -10 },
};

function names(
  costs: Costs,
  lengths: number[],
  x: (n: number) => number,
  y: (cost: number) => number,
): Node[] {
  return Object.entries(costs).flatMap(([kind, row]) => {
    const at = NAMED[kind];
    if (!at) return [];
    const [n, cost] = [lengths.at(-at.before) ?? 1, row.at(-at.before) ?? 1];
    return [label(x(n), y(cost) + at.below, kind, at.anchor, kind)];
  });
}

// The table of scores, and that of twice the words, which is four of it

function squares(width: number, tables: [string, string][]): Node[] {
  return tables.flatMap(([words, bytes], index) => {
    const [left, top, side] = [index * Math.min(width / 2, APART) + 1, 60, SIDE * (index + 1)];
    const cut = `M${left + SIDE} ${top} V${top + side} M${left} ${top + SIDE} H${left + side}`;
    return [
      label(left, 25, `${words}² scores`, "start", "title"),
      label(left, 46, index ? `${bytes}, × 4` : bytes, "start"),
      svg("rect", { class: "scores", x: left, y: top, width: side, height: side }),
      ...(index ? [svg("path", { class: "cut", d: cut })] : []),
    ];
  });
}
