// Positions as waves: a heat map with a cursor, and below it the wave and the product under it.

import { smooth } from "../curve";
import { element } from "../elements";
import { range, short, within, written } from "../numbers";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface WavesTrace extends Trace {
  table: number[][]; // positions × features
  kinds: string[]; // what wave each feature is; empty for a reader's table
  products: number[] | number[][]; // by distance, or for each pair of positions
}

const START = { position: 20, feature: 6 };
const LEFT = 34; // pixels for what stands beside the pictures
const CURVE = 130;
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export default function createView(_figure: Figure, stage: HTMLElement): View {
  return new WavesView(stage);
}

class WavesView implements View {
  #trace!: WavesTrace;
  #at = START;
  #sliders: Slider[] = [];
  readonly #map = element("div", { class: "heat-map", tabindex: "0", role: "group" });
  readonly #low = element("span");
  readonly #high = element("span");
  readonly #cursor = element("span", { class: "cursor" });
  readonly #wave: Picture;
  readonly #product: Picture;
  readonly #how: HTMLElement;

  constructor(readonly stage: HTMLElement) {
    const places = [element("div"), element("div")] as const;
    const legend = element("div", { class: "heat-legend" }, this.#low, element("i"), this.#high);
    const axis = element("div", { class: "heat-axis" }, "feature ↓, position →");
    axis.append(legend);
    this.#part(".picture").append(axis, this.#map, ...places);
    this.#wave = new Picture(places[0], CURVE);
    this.#product = new Picture(places[1], CURVE);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
    this.#map.addEventListener("keydown", (event) => this.#press(event));
    for (const kind of ["pointerdown", "pointermove"] as const)
      this.#map.addEventListener(kind, (event) => this.#point(event));
  }

  get place(): unknown {
    return this.#at;
  }

  set place(place: unknown) {
    const { position, feature } = place as Record<string, unknown>;
    this.#at = { position: Number(position), feature: Number(feature) };
  }

  draw(trace: Trace): void {
    this.#trace = trace as WavesTrace;
    this.#buildSliders();
    drawTables(this.stage, trace);
    const { table } = this.#trace;
    const most = Math.max(1, ...table.flat().map(Math.abs));
    this.#low.textContent = short(-most);
    this.#high.textContent = short(most);
    this.#map.replaceChildren(
      ...range(this.#size[1]).map((i) => strip(table.map((row) => (row[i] ?? 0) / most))),
      this.#cursor,
      element("span", { class: "edge" }, "0"),
      element("span", { class: "edge" }, String(this.#size[1] - 1)),
    );
    this.#move(this.#at.position, this.#at.feature);
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  get #size(): [number, number] {
    const { table } = this.#trace;
    return [table.length, table[0]?.length ?? 0];
  }

  #buildSliders(): void {
    const [positions, features] = this.#size;
    const lengths = this.#sliders.map(({ values }) => values.length);
    if (lengths[0] === positions && lengths[1] === features) return;
    this.#sliders = [
      new Slider("Position", range(positions), String, (p) => this.#move(p, this.#at.feature)),
      new Slider("Feature", range(features), String, (i) => this.#move(this.#at.position, i)),
    ];
    this.#part(".figure-controls").replaceChildren(...this.#sliders.map(({ element }) => element));
  }

  // What the reader does

  #press(event: KeyboardEvent): void {
    const [right, down] = STEPS[event.key] ?? [0, 0];
    if (!right && !down) return;
    event.preventDefault();
    this.#move(this.#at.position + right, this.#at.feature + down);
  }

  #point(event: PointerEvent): void {
    const box = this.#map.getBoundingClientRect();
    const [positions, features] = this.#size;
    const across = Math.floor(((event.clientX - box.x) / box.width) * positions);
    const down = Math.floor(((event.clientY - box.y) / box.height) * features);
    this.#move(across, down);
  }

  #move(position: number, feature: number): void {
    const [positions, features] = this.#size;
    this.#at = { position: within(position, positions), feature: within(feature, features) };
    this.#drawCursor();
  }

  // What is drawn

  #drawCursor(): void {
    const { position, feature } = this.#at;
    const { table, kinds } = this.#trace;
    const [positions, features] = this.#size;
    this.#sliders[0]?.show(position);
    this.#sliders[1]?.show(feature);
    this.#cursor.style.left = `${(100 * position) / positions}%`;
    this.#cursor.style.top = `${(100 * feature) / features}%`;
    this.#cursor.style.width = `${100 / positions}%`;
    this.#cursor.style.height = `${100 / features}%`;
    const of = kinds[feature] ? ` (${kinds[feature]})` : "";
    const value = written(table[position]?.[feature] ?? 0);
    const says = `Position ${position}, feature ${feature}${of}: ${value}.`;
    this.#how.textContent = says;
    this.#map.setAttribute("aria-label", `Heat map, arrow keys move the cursor. ${says}`);
    const wave = table.map((row) => row[feature] ?? 0);
    this.#wave.show(`Feature ${feature} at all positions`, (width) =>
      curve(width, wave, position, `Feature ${feature}: one number at each position`, "wave"),
    );
    const products = table.map((_, q) => this.#productOf(position, q));
    const title = `PE(${position}) · PE(q), for each position q`;
    this.#product.show(title, (width) => curve(width, products, position, title, "product"));
  }

  #productOf(p: number, q: number): number {
    const row = this.#trace.products[p];
    if (Array.isArray(row)) return row[q] ?? 0;
    return (this.#trace.products as number[])[Math.abs(p - q)] ?? 0;
  }
}

/** One feature as a strip, a shade for each position; values from −1 to 1. */
function strip(values: number[]): HTMLElement {
  const stops = values.map((value, p) => {
    const share = Math.round(50 + 50 * value);
    const [from, to] = [p, p + 1].map((edge) => `${(100 * edge) / values.length}%`);
    return `color-mix(in srgb, var(--accent) ${share}%, var(--paper)) ${from} ${to}`;
  });
  const made = element("span", { class: "strip" });
  made.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return made;
}

/** Values over positions, with those of the cursor marked; its axis is that of the heat map. */
function curve(width: number, values: number[], at: number, title: string, kind: string): Node[] {
  const [top, bottom] = [30, CURVE - 26];
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  const step = (width - LEFT) / values.length;
  const x = (p: number) => LEFT + (p + 0.5) * step;
  const y = (value: number) => bottom - ((bottom - top) * (value - low)) / (high - low || 1);
  const marks = [...new Set([low, 0, high])].flatMap((value) => [
    svg("path", { class: "grid", d: `M${LEFT} ${y(value)} H${width}` }),
    label(LEFT - 6, y(value) + 4, short(value), "end"),
  ]);
  const points = values.map((value, p) => [x(p), y(value)] as [number, number]);
  return [
    label(0, 13, title, "start", "title"),
    ...marks,
    svg("path", { class: "at", d: `M${x(at)} ${top} V${bottom}` }),
    svg("path", { class: kind, d: smooth(points) }),
    svg("circle", { class: `${kind} here`, cx: x(at), cy: y(values[at] ?? 0), r: 5 }),
    ...ticks(values.length).map((p) => label(x(p), CURVE - 8, String(p))),
  ];
}

function ticks(positions: number): number[] {
  return range(positions).filter((p) => p % (positions > 32 ? 16 : 4) === 0);
}
