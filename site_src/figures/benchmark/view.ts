// Time or memory of attention against the number of tokens, both on logarithmic scales, by form.

import { element } from "../elements";
import { select } from "../select";
import { label, Picture, svg } from "../svg";
import type { Figure, Trace, View } from "../trace";

interface Line {
  form: string;
  values: (number | null)[]; // for each length
}

interface Chart {
  device: string;
  dtype: string;
  quantity: string;
  says: string;
  lengths: number[];
  ticks: [number, string][]; // the smallest first
  lines: Line[];
}

type Key = "device" | "dtype" | "quantity";
type Choice = Record<Key, string>;

const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [62, 128, 34, HEIGHT - 44]; // edges of the plot; RIGHT: for names
const INSET = 10; // of the first point
const APART = 17; // names from each other
const ROOM = 48; // pixels that a number of tokens needs
const KEYS: [Key, string][] = [
  ["device", "Device"],
  ["dtype", "Number type"],
  ["quantity", "Shown"],
];
const TITLES: Record<string, string> = {
  time: "Time of one call",
  memory: "Peak memory beside the inputs",
};

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new BenchmarkView(figure, stage);
}

class BenchmarkView implements View {
  #charts: Chart[] = [];
  #choice: Partial<Choice> = {}; // the first chart's, until the reader chooses
  #selects: HTMLSelectElement[] = [];
  readonly #picture: Picture;
  readonly #how: HTMLElement;

  constructor(
    _: Figure,
    readonly stage: HTMLElement,
  ) {
    const place = element("div");
    this.#part(".picture").append(place);
    this.#picture = new Picture(place, HEIGHT);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    for (const tables of stage.querySelectorAll<HTMLElement>(".makes")) tables.tabIndex = 0; // to scroll
  }

  get place(): unknown {
    return this.#choice;
  }

  set place(place: unknown) {
    this.#choice = { ...(place as Partial<Choice>) };
  }

  draw(trace: Trace): void {
    this.#charts = (trace as Trace & { charts: Chart[] }).charts;
    this.#selects = KEYS.map(([key]) => this.#select(key));
    const shown = KEYS.map(([, name], at) =>
      element("label", {}, `${name} `, this.#selects[at] as Node),
    );
    const devices = new Set(this.#charts.map(({ device }) => device));
    this.#part(".figure-controls").replaceChildren(...shown.slice(devices.size > 1 ? 0 : 1));
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #select(key: Key): HTMLSelectElement {
    const values = [...new Set(this.#charts.map((chart) => chart[key]))];
    return select(
      key,
      values.map((value) => [value, value]),
      "",
      (value) => {
        this.#choice = { ...this.#choice, [key]: value };
        this.#draw();
      },
    );
  }

  #draw(): void {
    const chart = chosen(this.#charts, this.#choice);
    for (const [at, [key]] of KEYS.entries()) {
      (this.#selects[at] as HTMLSelectElement).value = chart[key];
    }
    this.#choice = Object.fromEntries(KEYS.map(([key]) => [key, chart[key]]));
    this.#how.textContent = chart.says;
    this.#picture.show(chart.says, (width) => plot(width, chart));
  }
}

/** The chart of a choice, or the nearest: a device may lack a type of numbers. */
function chosen(charts: Chart[], choice: Partial<Choice>): Chart {
  let left = charts;
  for (const [key] of KEYS) {
    const fitting = left.filter((chart) => chart[key] === choice[key]);
    if (fitting.length) left = fitting;
  }
  return left[0] as Chart;
}

// The plot

interface Point {
  x: number;
  y: number;
}

function plot(width: number, { quantity, lengths, ticks, lines }: Chart): Node[] {
  const x = scale(lengths[0] ?? 1, lengths.at(-1) ?? 1, LEFT + INSET, width - RIGHT);
  const y = scale(ticks[0]?.[0] ?? 1, ticks.at(-1)?.[0] ?? 1, BOTTOM, TOP);
  const drawn = lines.map(({ form, values }) => ({ form, points: points(values, lengths, x, y) }));
  return [
    label(0, 14, TITLES[quantity] ?? quantity, "start", "title"),
    ...ticks.flatMap(([value, text]) => [
      svg("path", { class: "grid", d: `M${LEFT} ${y(value)} H${width - RIGHT}` }),
      label(LEFT - 4, y(value) + 4, text, "end"),
    ]),
    ...lengths
      .filter((_, at) => at % every(width, lengths.length) === 0)
      .map((tokens) => label(x(tokens), BOTTOM + 18, tokens.toLocaleString("en"))),
    label(width, BOTTOM + 36, "tokens; both scales are logarithmic", "end"),
    ...drawn.flatMap(({ form, points }) => line(form, points)),
    ...names(drawn, width - RIGHT + 10),
  ];
}

/** From a range to pixels, by logarithms. */
function scale(first: number, last: number, from: number, to: number): (value: number) => number {
  return (value) => from + ((to - from) * Math.log(value / first)) / Math.log(last / first || 1);
}

function points(
  values: (number | null)[],
  lengths: number[],
  x: (tokens: number) => number,
  y: (value: number) => number,
): Point[] {
  return values.flatMap((value, at) =>
    value === null ? [] : [{ x: x(lengths[at] as number), y: y(value) }],
  );
}

/** Which numbers of tokens are written, so that they have room. */
function every(width: number, count: number): number {
  return Math.ceil((count * ROOM) / (width - LEFT - RIGHT));
}

function line(form: string, points: Point[]): Node[] {
  return [
    svg("polyline", {
      class: kind(form),
      points: points.map(({ x, y }) => `${x},${y}`).join(" "),
    }),
    ...points.map((point) => mark(form, point)),
  ];
}

/** The form's name as a class of CSS. */
function kind(form: string): string {
  return `form-${form}`;
}

// One mark for each form, as a path around (0, 0), so that colour is not all that tells them apart.
const MARKS: Record<string, string> = {
  naive: "M-4 -4 H4 V4 H-4 Z",
  math: "M0 -5 L5 4 H-5 Z",
  flash: "M-4.5 0 a4.5 4.5 0 1 0 9 0 a4.5 4.5 0 1 0 -9 0 Z",
  "memory-efficient": "M0 -6 L5 0 L0 6 L-5 0 Z",
  cuDNN: "M-4 -4 L4 4 M4 -4 L-4 4",
};

function mark(form: string, { x, y }: Point): Node {
  const d = MARKS[form] ?? "";
  return svg("path", { class: `mark ${kind(form)}`, d, transform: `translate(${x} ${y})` });
}

/** Names at the right, each as near its line's end as the others let it, and tied to it. */
function names(lines: { form: string; points: Point[] }[], x: number): Node[] {
  const ends = lines
    .map(({ form, points }) => ({ form, end: points.at(-1) as Point }))
    .sort((a, b) => a.end.y - b.end.y);
  const places = spread(ends.map(({ end }) => end.y));
  return ends.flatMap(({ form, end }, at) => {
    const y = places[at] as number;
    return [
      svg("path", { class: "tie", d: `M${end.x + 6} ${end.y} L${x - 2} ${y}` }),
      label(x + 2, y + 4, form, "start", kind(form)),
    ];
  });
}

/** Sorted places, moved apart as far as names need: downwards, then up from the lower edge. */
function spread(places: number[]): number[] {
  const moved = [...places];
  for (let at = 1; at < moved.length; at += 1)
    moved[at] = Math.max(moved[at] as number, (moved[at - 1] as number) + APART);
  const over = Math.max((moved.at(-1) ?? 0) - BOTTOM, 0);
  return moved.map((place) => place - over);
}
