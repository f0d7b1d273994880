// Where a model's parameters are: all parts on one bar, and attention taken apart on a second.

import { element } from "../elements";
import { numberIn } from "../matrix";
import { select } from "../select";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Inputs, Matrix, Trace, View } from "../trace";

type Stop = [heads: number, kvHeads: number];

interface ParametersTrace extends Trace {
  short: string[]; // the counts of attention's parts
  stops: { heads: Stop[]; kv_heads: Stop[] }; // of both sliders
}

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new ParametersView(figure, stage);
}

class ParametersView implements View {
  place: unknown = null;
  #wanted!: Inputs; // what was last asked for: a quick second change builds on the first
  readonly #models: Record<string, Inputs>; // as published, by name
  readonly #model: HTMLSelectElement;
  readonly #heads = new HeadsSlider("Heads", 0, (stop) => this.#share(stop));
  readonly #kvHeads = new HeadsSlider("KV heads", 1, (stop) => this.#share(stop));
  readonly #width = element("input", { type: "number" });
  readonly #biases = element("button", { type: "button" }, "Biases");
  readonly #picture: Picture;
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    this.#models = published(figure);
    const names = Object.keys(this.#models).map((name): [string, string] => [name, name]);
    this.#model = select("model", names, "", (name) => this.#change(this.#models[name] ?? {}));
    this.#listen();
    part(".figure-controls").append(
      element("label", {}, "Model ", this.#model),
      this.#heads.element,
      this.#kvHeads.element,
      element("label", {}, "d_model ", this.#width),
      this.#biases,
    );
    this.#picture = new Picture(part(".picture"), HEIGHT);
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
  }

  draw(trace: Trace): void {
    const { inputs, stops, short, matrices, picture } = trace as ParametersTrace;
    drawTables(this.stage, trace);
    this.#wanted = inputs;
    this.#model.value = nameOf(this.#models, inputs);
    this.#heads.show(stops.heads, inputs.heads as number);
    this.#kvHeads.show(stops.kv_heads, inputs.kv_heads as number);
    if (this.#width !== document.activeElement) this.#width.value = String(inputs.d_model);
    this.#width.min = this.#width.step = String(inputs.heads); // arrows keep to what divides
    this.#biases.setAttribute("aria-pressed", String(inputs.bias));
    this.#how.textContent = picture ?? "";
    const [all, attention] = matrices as [Matrix, Matrix];
    const shares = all.shown.map(([, share]) => share ?? "");
    this.#picture.show(picture ?? "", (width) => [
      label(0, 24, `${all.shown.at(-1)?.[0]} parameters`, "start", "total"),
      ...bars(width, parts(all, shares), parts(attention, short)),
      label(width / 2, ATTENTION - 9, `attention of a layer: ${attention.shown.at(-1)?.[0]}`),
    ]);
  }

  #listen(): void {
    this.#width.addEventListener("change", () => {
      const value = numberIn(this.#width.value);
      if (value !== null) this.#change({ d_model: value });
    });
    this.#biases.addEventListener("click", () => this.#change({ bias: !this.#wanted.bias }));
  }

  #share([heads, kv_heads]: Stop): void {
    this.#change({ heads, kv_heads });
  }

  #change(part: Inputs): void {
    this.#wanted = { ...this.#wanted, ...part };
    this.figure.change(this.#wanted);
  }
}

/** The models as published: the states that bear their names. */
function published({ traces }: Figure): Record<string, Inputs> {
  const models = Object.entries(traces).filter(([name, { inputs }]) => inputs.model === name);
  return Object.fromEntries(models.map(([name, { inputs }]) => [name, inputs]));
}

/** The name of a model as published; none, if the reader has changed it. */
function nameOf(models: Record<string, Inputs>, inputs: Inputs): string {
  const wanted = JSON.stringify(inputs);
  return Object.keys(models).find((name) => JSON.stringify(models[name]) === wanted) ?? "";
}

/** A slider whose stops are other ones once other settings have changed. */
class HeadsSlider {
  readonly element = element("span");
  #slider: Slider | null = null;
  #stops: Stop[] = [];

  /** shown: which number of a stop the slider is about. */
  constructor(
    readonly name: string,
    readonly shown: 0 | 1,
    readonly choose: (stop: Stop) => void,
  ) {}

  show(stops: Stop[], value: number): void {
    this.#stops = stops;
    const values = stops.map((stop) => stop[this.shown]);
    if (String(this.#slider?.values) !== String(values)) this.#build(values);
    this.#slider?.show(value);
  }

  #build(values: number[]): void {
    this.#slider = new Slider(this.name, values, String, (value) => {
      const stop = this.#stops.find((stop) => stop[this.shown] === value);
      if (stop) this.choose(stop);
    });
    this.element.replaceChildren(this.#slider.element);
  }
}

// The bars

interface Part {
  name: string;
  count: number;
  says: string; // the second line of its label
}

interface Segment extends Part {
  x: number;
  width: number;
}

const [WHOLE, ATTENTION, HEIGHT] = [86, 146, 222]; // tops of the bars, and of all
const BAR = 28; // height of a bar
const TICK = 8; // from a bar to its labels
const LINE = 16;
const LETTER = 7.5; // pixels
const GAP = 4; // between labels

/** The rows of a table but the last, which sums them up. */
function parts({ rows, values }: Matrix, says: string[]): Part[] {
  return rows
    .slice(0, -1)
    .map((name, at) => ({ name, count: values[at]?.[0] ?? 0, says: says[at] ?? "" }));
}

function bars(width: number, all: Part[], attention: Part[]): Node[] {
  const [whole, apart] = [segments(all, width), segments(attention, width)];
  const taken = whole.find(({ name }) => name === "attention");
  const [above, below] = [WHOLE - TICK - LINE - 4, ATTENTION + BAR + TICK + LINE - 4];
  return [
    ...(taken ? [opened(taken, width)] : []),
    ...whole.map((segment) => rectangle(segment, WHOLE)),
    ...apart.map((segment) => rectangle(segment, ATTENTION)),
    ...labels(whole, width, above, [WHOLE, WHOLE - TICK + 2]),
    ...labels(apart, width, below, [ATTENTION + BAR, ATTENTION + BAR + TICK - 2]),
  ];
}

/** Parts side by side, each as wide as its share. */
function segments(all: Part[], width: number): Segment[] {
  const total = all.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  return all.map((part) => {
    const segment = { ...part, x, width: (part.count / total) * width };
    x += segment.width;
    return segment;
  });
}

function rectangle({ name, x, width }: Segment, y: number): SVGElement {
  return svg("rect", { class: `part ${name}`, x, y, width, height: BAR });
}

/** What joins attention on the upper bar to the lower bar, which is all of it. */
function opened({ x, width }: Segment, full: number): SVGElement {
  const top = WHOLE + BAR;
  return svg("path", {
    class: "opened",
    d: `M${x} ${top} H${x + width} L${full} ${ATTENTION} H0 Z`,
  });
}

/** Name and number of each segment, with a line from it to them. y: of the names. */
function labels(
  drawn: Segment[],
  width: number,
  y: number,
  [from, to]: [number, number],
): SVGElement[] {
  const middles = drawn.map((segment) => segment.x + segment.width / 2);
  const widths = drawn.map(({ name, says }) => LETTER * Math.max(name.length, says.length));
  const places = spread(middles, widths, width);
  return drawn.flatMap(({ name, says }, at) => [
    svg("path", { class: "tick", d: `M${middles[at]} ${from} L${places[at]} ${to}` }),
    label(places[at] ?? 0, y, name, "middle", `name ${name}`),
    label(places[at] ?? 0, y + LINE, says),
  ]);
}

/** Middles of labels as near as can be to where they are wanted, none on another or outside. */
function spread(wanted: number[], widths: number[], full: number): number[] {
  const mirrored = (places: number[]) => places.map((place) => full - place).reverse();
  const pushed = pushedRight(wanted, widths);
  return mirrored(pushedRight(mirrored(pushed), [...widths].reverse()));
}

function pushedRight(wanted: number[], widths: number[]): number[] {
  let edge = 0;
  return wanted.map((middle, at) => {
    const half = (widths[at] ?? 0) / 2;
    const place = Math.max(middle, edge + half);
    edge = place + half + GAP;
    return place;
  });
}
