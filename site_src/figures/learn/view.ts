// The pronoun model while it learns: the figure asks for a slice of the training at a time, draws it,
// and asks for the next as long as it plays. So cells can run in between.

import { element } from "../elements";
import { range, written } from "../numbers";
import { select } from "../select";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface Settings extends Record<string, string | number> {
  seed: number;
  rate: number;
  layers: number;
  optimizer: string;
}

interface LearnTrace extends Trace {
  inputs: Settings & { step: number };
  losses: number[]; // of each step
  accuracies: number[]; // before the first slice, and after each
  it: number; // the row of “it”
  rates: Record<string, number>; // of each optimizer, if nothing else is chosen
}

const [STEPS, SLICE] = [400, 20];
const RATES = [0.003, 0.01, 0.03, 0.1, 0.3, 1];
const SEEDS = range(10);
const LAST_WORDS = ["tired", "wide"];
const HEIGHT = 190;

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new LearnView(figure, stage);
}

class LearnView implements View {
  #trace!: LearnTrace;
  #settings!: Settings; // as last chosen, drawn or not
  #last = LAST_WORDS[0] as string;
  #playing = false;
  readonly #play = this.#button("Train", () => this.#toggle());
  readonly #again = this.#button("Start again", () => this.#restart({}));
  readonly #lastWords = LAST_WORDS.map((word) => this.#button(word, () => this.#end(word)));
  // Made once: a choice that is open stays so while the training goes on.
  readonly #layers = this.#choice("Layers", { 1: "1", 2: "2" }, (chosen) => ({
    layers: Number(chosen),
  }));
  readonly #optimizer = this.#choice("Optimizer", { sgd: "SGD", adam: "Adam" }, (optimizer) => ({
    optimizer,
    rate: this.#trace.rates[optimizer] as number,
  }));
  readonly #rate = new Slider("Learning rate", RATES, String, (rate) => this.#restart({ rate }));
  readonly #seed = new Slider("Seed", SEEDS, String, (seed) => this.#restart({ seed }));
  readonly #loss: Picture;
  readonly #right: Picture;
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    const sentence = { class: "choices", role: "group", "aria-label": "Last word" };
    part(".figure-controls").append(
      element("span", { class: "choices" }, this.#play, this.#again),
      element("span", sentence, "… it was too ", ...this.#lastWords),
      element("label", {}, "Layers ", this.#layers),
      element("label", {}, "Optimizer ", this.#optimizer),
      this.#rate.element,
      this.#seed.element,
    );
    const places = [element("div"), element("div")] as const;
    part(".picture").append(...places);
    this.#loss = new Picture(places[0], HEIGHT);
    this.#right = new Picture(places[1], HEIGHT);
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { last: this.#last };
  }

  set place(place: unknown) {
    const { last } = (place ?? {}) as { last?: unknown };
    if (LAST_WORDS.includes(last as string)) this.#last = last as string;
  }

  draw(trace: Trace): void {
    const isNews = trace !== this.#trace; // else the figure was refused what it asked for
    this.#trace = trace as LearnTrace;
    const { step, ...settings } = this.#trace.inputs;
    this.#settings = settings as Settings;
    this.#playing &&= isNews && step < STEPS && this.stage.isConnected;
    drawTables(this.stage, trace);
    this.#how.ariaLive = this.#playing ? "off" : "polite"; // not every slice is spoken
    this.#how.textContent = trace.picture ?? "";
    this.#drawControls();
    this.#drawCurves();
    this.#drawMaps();
    if (this.#playing) this.#ask(step + SLICE);
    else if (isNews && 0 < step && step < STEPS) this.figure.say("Paused.");
  }

  #button(text: string, click: () => void): HTMLElement {
    return element("button", { type: "button", click }, text);
  }

  #choice(
    name: string,
    options: Record<string, string>,
    settings: (chosen: string) => Partial<Settings>,
  ): HTMLSelectElement {
    return select(name, Object.entries(options), "", (chosen) => this.#restart(settings(chosen)));
  }

  // What the reader does

  #toggle(): void {
    this.#playing = !this.#playing;
    const { step } = this.#trace.inputs;
    if (this.#playing) this.#ask((step % STEPS) + SLICE);
    this.#drawControls();
  }

  /** Other settings, or the same, from the first step on; what plays goes on playing. */
  #restart(settings: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...settings } as Settings;
    this.#ask(0);
  }

  #ask(step: number): void {
    this.figure.change({ ...this.#settings, step });
  }

  #end(word: string): void {
    this.#last = word;
    this.#drawControls();
    this.#drawMaps();
  }

  // What is drawn

  #drawControls(): void {
    const { step } = this.#trace.inputs;
    const isUnderWay = 0 < step && step < STEPS;
    this.#play.textContent = this.#playing ? "Pause" : isUnderWay ? "Continue" : "Train";
    for (const [index, button] of this.#lastWords.entries())
      button.setAttribute("aria-pressed", String(LAST_WORDS[index] === this.#last));
    this.#rate.show(this.#settings.rate);
    this.#seed.show(this.#settings.seed);
    this.#layers.value = String(this.#settings.layers);
    this.#optimizer.value = this.#settings.optimizer;
  }

  #drawCurves(): void {
    const { losses, accuracies } = this.#trace;
    const loss = `The loss of each step, and a line at ln 2. ${this.#trace.picture}`;
    this.#loss.show(loss, (width) => lossCurve(width, losses));
    const right = `The share of new sentences that are right: ${percent(accuracies.at(-1) ?? 0)}`;
    this.#right.show(right, (width) => accuracyCurve(width, accuracies));
  }

  /** The row of “it” stands out; rows that nothing trains are grey. */
  #drawMaps(): void {
    this.stage.classList.toggle("wide", this.#last === "wide");
    for (const table of this.stage.querySelectorAll<HTMLTableElement>("table[data-name^=layer]"))
      for (const [index, row] of [...(table.tBodies[0]?.rows ?? [])].entries()) {
        const isIt = index === this.#trace.it;
        row.classList.toggle("chosen", isIt);
        row.classList.toggle("untrained", !isIt && table.dataset.name?.startsWith("layer 2"));
      }
  }
}

// The curves

const [LEFT, RIGHT, TOP, BOTTOM] = [38, 8, 26, HEIGHT - 24];
const MOST = 3; // of the loss on the chart

interface Axes {
  x(step: number): number;
  y(value: number): number;
  drawn: Node[];
}

/** A frame for a curve over all steps; ticks: values with their names. */
function axes(width: number, title: string, most: number, ticks: [number, string][]): Axes {
  const x = (step: number) => LEFT + ((width - LEFT - RIGHT) * step) / STEPS;
  const y = (value: number) => BOTTOM - ((BOTTOM - TOP) * Math.min(value, most)) / most;
  const lines = ticks.flatMap(([value, name]) => [
    svg("path", { class: "grid", d: `M${LEFT} ${y(value)} H${width - RIGHT}` }),
    label(LEFT - 5, y(value) + 4, name, "end"),
  ]);
  const steps = [0, STEPS / 2, STEPS].map((step) =>
    label(x(step), BOTTOM + 16, step ? String(step) : "step 0", step === STEPS ? "end" : "middle"),
  );
  return { x, y, drawn: [label(0, 13, title, "start", "title"), ...lines, ...steps] };
}

function lossCurve(width: number, losses: number[]): Node[] {
  const ticks = range(MOST + 1).map((value): [number, string] => [value, String(value)]);
  const { x, y, drawn } = axes(width, "Loss", MOST, ticks);
  return [
    ...drawn,
    curve(losses.map((loss, index) => [x(index + 1), y(loss)])),
    svg("path", { class: "limit", d: `M${LEFT} ${y(Math.LN2)} H${width - RIGHT}` }),
    label(width - RIGHT, y(Math.LN2) - 6, `ln 2 ≈ ${written(Math.LN2)}: guessing`, "end", "limit"),
  ];
}

function accuracyCurve(width: number, accuracies: number[]): Node[] {
  const ticks = [0, 0.5, 1].map((value): [number, string] => [value, percent(value)]);
  const { x, y, drawn } = axes(width, "New sentences right", 1, ticks);
  const points = accuracies.map((right, slice): [number, number] => [x(slice * SLICE), y(right)]);
  const dots = points.map(([cx, cy]) => svg("circle", { cx, cy, r: 2.2 }));
  return [
    ...drawn,
    svg("path", { class: "limit", d: `M${LEFT} ${y(0.5)} H${width - RIGHT}` }),
    label(width - RIGHT, y(0.5) + 14, "half: guessing", "end", "limit"),
    curve(points),
    ...dots,
  ];
}

function curve(points: [number, number][]): SVGElement {
  return svg("polyline", { points: points.map((point) => point.join(",")).join(" ") });
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
