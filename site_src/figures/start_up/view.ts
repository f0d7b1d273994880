// A bar with its range for each way to start Python in a page, on one scale; stock as a line.

import { element } from "../elements";
import { select } from "../select";
import { label, Picture, svg } from "../svg";
import type { Figure, Trace, View } from "../trace";

interface Bar {
  side: string;
  median: number;
  low: number;
  high: number;
  ours: boolean;
  stock: boolean;
  shown: string;
}

interface Chart {
  title: string;
  says: string;
  bars: Bar[];
  stock: number | null; // its median
  ticks: [number, string][];
}

const [ROW, TOP, BOTTOM] = [44, 8, 26]; // of a side; above all, and below for the axis
const ROOM = 132; // for a figure behind its bar
const THICK = 12; // of a bar

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new StartUpView(figure, stage);
}

class StartUpView implements View {
  #charts: Chart[] = [];
  #title = ""; // of the chosen chart
  #choice!: HTMLSelectElement;
  readonly #picture: Picture;
  readonly #how: HTMLElement;

  constructor(
    figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const place = element("div");
    this.#part(".picture").append(place);
    const most = Math.max(...charts(Object.values(figure.traces)).map(({ bars }) => bars.length));
    this.#picture = new Picture(place, TOP + most * ROW + BOTTOM);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return this.#title;
  }

  set place(place: unknown) {
    this.#title = String(place);
  }

  draw(trace: Trace): void {
    this.#charts = charts([trace]);
    const titles = this.#charts.map(({ title }): [string, string] => [title, title]);
    this.#choice = select("chart", titles, "", (title) => {
      this.#title = title;
      this.#draw();
    });
    this.#part(".figure-controls").replaceChildren(element("label", {}, "Shown ", this.#choice));
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #draw(): void {
    const chart = this.#charts.find(({ title }) => title === this.#title) ?? this.#charts[0];
    if (!chart) return;
    this.#title = this.#choice.value = chart.title;
    this.#how.textContent = chart.says;
    this.#picture.show(chart.says, (width) => plot(width, chart));
  }
}

function charts(traces: Trace[]): Chart[] {
  return traces.flatMap((trace) => (trace as Trace & { charts: Chart[] }).charts);
}

// The plot

type Scale = (value: number) => number;

function plot(width: number, { bars, stock, ticks }: Chart): Node[] {
  const bottom = TOP + bars.length * ROW;
  const most = Math.max(...bars.map(({ high }) => high));
  const x: Scale = (value) => ((width - ROOM) * value) / most;
  return [
    ...ticks.flatMap(([value, text], at) => [
      svg("path", { class: "grid", d: `M${x(value)} ${TOP} V${bottom}` }),
      label(x(value), bottom + 16, text, at ? "middle" : "start"),
    ]),
    ...(stock === null ? [] : [svg("path", { class: "stock-line", d: down(x(stock), bottom) })]),
    ...bars.flatMap((bar, at) => row(bar, TOP + at * ROW, x)),
  ];
}

function down(x: number, bottom: number): string {
  return `M${x} ${TOP} V${bottom}`;
}

/** A side's name above its bar, its range as a line with ends, its figure behind it. */
function row({ side, median, low, high, ours, stock, shown }: Bar, top: number, x: Scale): Node[] {
  const kind = ours ? "this-site" : stock ? "stock" : "peer";
  const middle = top + 18 + THICK / 2;
  return [
    label(0, top + 13, side, "start", kind),
    svg("rect", { class: `bar ${kind}`, x: 0, y: top + 18, width: x(median), height: THICK }),
    svg("path", { class: "range", d: range(x(low), x(high), middle) }),
    label(x(high) + 8, middle + 4, shown, "start", kind),
  ];
}

function range(low: number, high: number, y: number): string {
  return `M${low} ${y} H${high} M${low} ${y - 4} V${y + 4} M${high} ${y - 4} V${y + 4}`;
}
