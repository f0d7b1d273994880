// RoPE as clocks: in each pair of features a hand for the query and one for the key.

import { smooth } from "../curve";
import { element } from "../elements";
import { range, short, within, written } from "../numbers";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface RopeTrace extends Trace {
  hands: [number[][], number[][]]; // query, key: [pair][position], in degrees
  lengths: [number[], number[]]; // of the hands, by pair
  between: number[][]; // degrees between the hands, [pair][distance]
  by_pair: number[][]; // what a pair adds to the score, [pair][distance]
  scores: number[]; // by distance
}

/** A clock: where its hands stand, in degrees from the top, and how long they are, at most 1. */
interface Clock {
  angles: [number, number];
  lengths: [number, number];
}

const START = { place: 4, distance: 3, pair: 0 };
const SYMBOLS = ["q", "k"] as const;
const [SMALL, LARGE, CHART] = [56, 210, 210];

export default function createView(_figure: Figure, stage: HTMLElement): View {
  return new RopeView(stage);
}

class RopeView implements View {
  #trace!: RopeTrace;
  #at = { ...START };
  #sliders: Slider[] = [];
  readonly #pairs = element("div", { class: "pairs", role: "group", "aria-label": "Pair" });
  readonly #clock: Picture;
  readonly #chart: Picture;
  readonly #how: HTMLElement;

  constructor(readonly stage: HTMLElement) {
    const places = [element("div"), element("div")] as const;
    const below = element("div", { class: "clock-and-chart" }, ...places);
    this.#part(".picture").append(this.#pairs, below);
    this.#clock = new Picture(places[0], LARGE);
    this.#chart = new Picture(places[1], CHART);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return this.#at;
  }

  set place(place: unknown) {
    const given = place as Record<string, unknown>;
    for (const name of ["place", "distance", "pair"] as const) this.#at[name] = Number(given[name]);
  }

  draw(trace: Trace): void {
    this.#trace = trace as RopeTrace;
    drawTables(this.stage, trace);
    const { scores, hands, by_pair } = this.#trace;
    const distances = scores.length;
    const places = (hands[0][0]?.length ?? 0) - distances + 1;
    this.#at.place = within(this.#at.place, places);
    this.#at.distance = within(this.#at.distance, distances);
    this.#at.pair = within(this.#at.pair, by_pair.length);
    if (!this.#sliders.length) this.#buildSliders(places, distances);
    this.#buildPairs(by_pair.length);
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #buildSliders(places: number, distances: number): void {
    const slide = (name: "place" | "distance") => (value: number) => {
      this.#at[name] = value;
      this.#draw();
    };
    this.#sliders = [
      new Slider("Move both", range(places), (p) => `key at ${p}`, slide("place")),
      new Slider("Distance", range(distances), String, slide("distance")),
    ];
    this.#part(".figure-controls").append(...this.#sliders.map(({ element }) => element));
  }

  #buildPairs(count: number): void {
    if (this.#pairs.childElementCount === count) return;
    const choose = (pair: number) => () => {
      this.#at.pair = pair;
      this.#draw();
    };
    const buttons = range(count).map((pair) => {
      const drawn = svg("svg", { "aria-hidden": "true", width: SMALL, height: SMALL });
      return element("button", { type: "button", click: choose(pair) }, drawn, nameOf(pair, count));
    });
    this.#pairs.replaceChildren(...buttons);
  }

  #clockOf(pair: number): Clock {
    const { hands, lengths } = this.#trace;
    const { place, distance } = this.#at;
    const longest = Math.max(...lengths.flat()) || 1;
    return {
      angles: [hands[0][pair]?.[place + distance] ?? 0, hands[1][pair]?.[place] ?? 0],
      lengths: [(lengths[0][pair] ?? 0) / longest, (lengths[1][pair] ?? 0) / longest],
    };
  }

  #draw(): void {
    const { place, distance, pair } = this.#at;
    const { between, by_pair, scores } = this.#trace;
    this.#sliders[0]?.show(place);
    this.#sliders[1]?.show(distance);
    for (const [index, button] of [...this.#pairs.children].entries()) {
      button.setAttribute("aria-pressed", String(index === pair));
      button.firstElementChild?.replaceChildren(...face(this.#clockOf(index), SMALL));
    }
    const angle = between[pair]?.[distance] ?? 0;
    const part = by_pair[pair]?.[distance] ?? 0;
    const all = by_pair.length > 1 ? `All ${by_pair.length} pairs together give` : "So it is";
    this.#how.textContent =
      `Query at position ${place + distance}, key at position ${place}: ${distance} apart. ` +
      `In pair ${pair} the hands stand ${angle}° apart and give ${written(part)}. ` +
      `${all} a score of ${written(scores[distance] ?? 0)}.`;
    this.#clock.show(`The hands of pair ${pair} stand ${angle}° apart`, (width) =>
      large(width, this.#clockOf(pair), angle),
    );
    this.#chart.show("The score at each distance", (width) =>
      chart(width, [by_pair[pair] ?? [], scores], distance, `pair ${pair} alone`),
    );
  }
}

function nameOf(pair: number, count: number): string {
  if (pair === 0) return "pair 0, fast";
  return pair === count - 1 ? `pair ${pair}, slow` : `pair ${pair}`;
}

// Clocks

function face({ angles, lengths }: Clock, size: number): Node[] {
  const middle = size / 2;
  const radius = middle - 2;
  const rim = svg("circle", { class: "rim", cx: middle, cy: middle, r: radius });
  const hands = SYMBOLS.map((symbol, index) =>
    svg("path", {
      class: `hand ${symbol}`,
      d: `M${middle} ${middle} v${-(lengths[index] ?? 0) * radius * 0.92}`,
      transform: `rotate(${angles[index]} ${middle} ${middle})`,
    }),
  );
  return [rim, ...hands];
}

/** The chosen pair: its clock with marks, a sector between the hands, and what they are. */
function large(width: number, clock: Clock, between: number): Node[] {
  const size = Math.min(LARGE, width);
  const middle = size / 2;
  const place = svg("g", { class: "large", transform: `translate(${(width - size) / 2} 0)` });
  const marks = range(12).map((hour) =>
    svg("path", {
      class: "grid",
      d: `M${middle} 3 v6`,
      transform: `rotate(${30 * hour} ${middle} ${middle})`,
    }),
  );
  const [rim, ...hands] = face(clock, size) as [Node, ...Node[]];
  place.append(rim, sector(clock.angles, middle), ...hands, ...marks);
  const names = ["query", "key"].map((name, index) =>
    label(0, 14 + 16 * index, name, "start", `hand-name ${SYMBOLS[index]}`),
  );
  return [place, ...names, label(width, 14, `${between}° apart`, "end", "title")];
}

/** The smaller angle between the hands. */
function sector([query, key]: [number, number], middle: number): SVGElement {
  const sweep = ((query - key + 540) % 360) - 180;
  const radius = middle * 0.3;
  const at = (angle: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${middle + radius * Math.sin(turn)} ${middle - radius * Math.cos(turn)}`;
  };
  const way = sweep > 0 ? 1 : 0;
  return svg("path", {
    class: "between",
    d: `M${middle} ${middle} L${at(key)} A${radius} ${radius} 0 0 ${way} ${at(key + sweep)} Z`,
  });
}

// The score at each distance

function chart(width: number, rows: [number[], number[]], at: number, name: string): Node[] {
  const [left, right, top, bottom] = [34, 8, 44, CHART - 40];
  const values = rows.flat();
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const last = rows[1].length - 1;
  const x = (distance: number) => left + ((width - left - right) * distance) / last;
  const y = (value: number) => bottom - ((bottom - top) * (value - low)) / (high - low || 1);
  const marks = [...new Set([low, 0, high])].flatMap((value) => [
    svg("path", { class: "grid", d: `M${left} ${y(value)} H${width - right}` }),
    label(left - 6, y(value) + 4, short(value), "end"),
  ]);
  const lines = rows.flatMap((row, index) => {
    const kind = index ? "score" : "part";
    return [
      svg("path", { class: kind, d: smooth(row.map((value, n) => [x(n), y(value)])) }),
      svg("circle", { class: `${kind} here`, cx: x(at), cy: y(row[at] ?? 0), r: 5 }),
    ];
  });
  return [
    label(0, 13, "Score at each distance: all pairs", "start", "title score"),
    label(0, 30, `and ${name} (dashed)`, "start"),
    ...marks,
    ...lines,
    ...range(last + 1)
      .filter((distance) => distance % 6 === 0)
      .map((distance) => label(x(distance), bottom + 18, String(distance))),
    label(x(last / 2), bottom + 36, "positions apart"),
  ];
}
