// The bytes of a KV cache against the memory that there is, for a model of the reader's choice.

import { element } from "../elements";
import { numberIn } from "../matrix";
import { select } from "../select";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Inputs, Matrix, Trace, View } from "../trace";

interface BytesTrace extends Trace {
  a_token: string;
  lengths: number[]; // tokens, one for each column but the first
}

const [HEIGHT, TOP, ROW] = [184, 36, 36];
const MARKED = [4096, 32768, 131072];
const START = 8192; // tokens at first
const MEMORY = [24, 80]; // GB
const MOST = 80e9; // bytes; the edge of the picture
const LEFT = 74; // room for lengths
const FIELDS: [string, string][] = [
  ["layers", "Layers"],
  ["kv_heads", "KV heads"],
  ["d_head", "Numbers a head"],
];

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new BytesView(figure, stage);
}

class BytesView implements View {
  #trace!: BytesTrace;
  #wanted!: Inputs; // what was last asked for: a quick second change builds on the first
  #tokens = START;
  readonly #models: Record<string, Inputs>; // by name, without the size of a number
  readonly #types: Record<string, Inputs>; // by name, that size alone
  readonly #model: HTMLSelectElement;
  readonly #type: HTMLSelectElement;
  readonly #slider: Slider;
  readonly #fields: HTMLInputElement[];
  readonly #picture: Picture;
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const traces = Object.values(figure.traces) as BytesTrace[];
    this.#models = parts(figure, 0, ["layers", "kv_heads", "d_head"]);
    this.#types = parts(figure, 1, ["bytes_per_number"]);
    this.#model = this.#choice("model", this.#models);
    this.#type = this.#choice("type", this.#types);
    const lengths = traces[0]?.lengths ?? [];
    this.#slider = new Slider("Tokens", lengths, thousands, (tokens) => {
      this.#tokens = tokens;
      this.#draw();
    });
    this.#fields = FIELDS.map(([key]) => this.#field(key));
    const named = (name: string, control: Node) => element("label", {}, `${name} `, control);
    this.#part(".figure-controls").append(
      named("Model", this.#model),
      named("Numbers", this.#type),
      this.#slider.element,
    );
    const fields = FIELDS.map(([, name], at) => named(name, this.#fields[at] as Node));
    this.#part(".figure-below").append(element("div", { class: "figure-words" }, ...fields));
    const place = element("div");
    this.#part(".picture").append(place);
    this.#picture = new Picture(place, HEIGHT);
    this.#how = this.#part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { tokens: this.#tokens };
  }

  set place(place: unknown) {
    const { tokens } = place as { tokens: number };
    if (this.#slider.values.includes(tokens)) this.#tokens = tokens;
  }

  draw(trace: Trace): void {
    this.#trace = trace as BytesTrace;
    drawTables(this.stage, trace);
    this.#wanted = trace.inputs;
    for (const [at, [key]] of FIELDS.entries()) {
      const field = this.#fields[at] as HTMLInputElement;
      if (field !== document.activeElement) field.value = String(trace.inputs[key]);
    }
    this.#model.value = nameOf(this.#models, trace.inputs);
    this.#type.value = nameOf(this.#types, trace.inputs);
    this.#slider.show(this.#tokens);
    this.#draw();
  }

  #part(name: string): HTMLElement {
    return this.stage.querySelector(name) as HTMLElement;
  }

  #choice(key: string, named: Record<string, Inputs>): HTMLSelectElement {
    const options = Object.keys(named).map((name): [string, string] => [name, name]);
    return select(key, options, "", (name) => this.#change(named[name] ?? {}));
  }

  #field(key: string): HTMLInputElement {
    const field = element("input", { type: "number", min: "1", step: "1" });
    field.addEventListener("change", () => {
      const value = numberIn(field.value);
      if (value !== null) this.#change({ [key]: value });
    });
    return field;
  }

  #change(part: Inputs): void {
    this.#wanted = { ...this.#wanted, ...part };
    this.figure.change(this.#wanted);
  }

  #draw(): void {
    const { matrices, lengths, a_token } = this.#trace;
    const { values, shown } = matrices[0] as Matrix;
    const size = (tokens: number, of: (number | string)[] = []) => of[1 + lengths.indexOf(tokens)];
    const says = `${a_token} ${thousands(this.#tokens)} tokens: ${size(this.#tokens, shown[0])}.`;
    this.#how.textContent = says;
    const rows = [...new Set([...MARKED, this.#tokens])].sort((a, b) => a - b);
    this.#picture.show(says, (width) => [
      label(LEFT - 8, 13, "tokens", "end"),
      ...memory(width),
      ...rows.flatMap((tokens, row) => {
        const kind = tokens === this.#tokens ? "cache here" : "cache";
        const bytes = Number(size(tokens, values[0]));
        return bar(width, TOP + row * ROW, kind, tokens, bytes, String(size(tokens, shown[0])));
      }),
    ]);
  }
}

/** How far so many bytes reach. */
function along(width: number, bytes: number): number {
  return ((width - LEFT - 24) * Math.min(bytes, MOST)) / MOST;
}

function memory(width: number): Node[] {
  return MEMORY.flatMap((gigabytes) => {
    const x = LEFT + along(width, gigabytes * 1e9);
    return [
      svg("path", { class: "memory", d: `M${x} 20 V${HEIGHT}` }),
      label(x, 13, `${gigabytes} GB`),
    ];
  });
}

/** A bar with its length to the left, and its size where there is room for it. */
function bar(
  width: number,
  y: number,
  kind: string,
  tokens: number,
  bytes: number,
  size: string,
): Node[] {
  const long = Math.max(along(width, bytes), 1);
  const beyond = bytes > MOST;
  const inside = long > width / 2;
  const drawn = [
    svg("rect", { class: kind, x: LEFT, y, width: long + (beyond ? 16 : 0), height: 22, rx: 2 }),
    label(LEFT - 8, y + 15, thousands(tokens), "end", kind),
    label(
      LEFT + long + (inside ? -6 : 6),
      y + 15,
      size,
      inside ? "end" : "start",
      inside ? "inside" : kind,
    ),
  ];
  if (beyond) drawn.push(label(LEFT + long + 4, y + 15, "→", "start", "inside"));
  return drawn;
}

/** What the page's models have of some inputs, by the part of their names that stands for it. */
function parts({ traces }: Figure, part: number, keys: string[]): Record<string, Inputs> {
  const named = Object.entries(traces).map(([name, { inputs }]) => [
    name.split(", ")[part],
    Object.fromEntries(keys.map((key) => [key, inputs[key]])),
  ]);
  return Object.fromEntries(named);
}

/** The name of what some inputs have in them; none, if it is the reader's own. */
function nameOf(named: Record<string, Inputs>, inputs: Inputs): string {
  const fits = (part: Inputs) => Object.keys(part).every((key) => part[key] === inputs[key]);
  return Object.keys(named).find((name) => fits(named[name] ?? {})) ?? "";
}

function thousands(tokens: number): string {
  return tokens.toLocaleString("en");
}
