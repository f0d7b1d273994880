// Words climbing through blocks: each a strip of numbers, one floor above the other.

import { element } from "../elements";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface TowerTrace extends Trace {
  words: string[];
  levels: string[];
  vectors: number[][][]; // of each level, of each word
  told: string[]; // each level in words
  alike: [number[], number[]]; // with, without
}

const ROADS = ["with", "without"];
const [FLOOR, LEFT, GAP, TOP] = [20, 84, 10, 22]; // pixels
const FULL = 2; // a number of this size has its colour in full
const CHART = 190;

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new TowerView(figure, stage);
}

class TowerView implements View {
  #trace!: TowerTrace;
  #level: number;
  readonly #roads: HTMLElement[];
  readonly #slider: Slider;
  readonly #floors: Picture;
  readonly #chart: Picture;
  readonly #how: HTMLElement;

  constructor(
    figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const { levels } = Object.values(figure.traces)[0] as TowerTrace;
    this.#level = levels.length - 1;
    this.#roads = ROADS.map((residual) =>
      element(
        "button",
        { type: "button", "aria-pressed": "false", click: () => figure.change({ residual }) },
        residual,
      ),
    );
    this.#slider = new Slider(
      "Level",
      levels.map((_, level) => level),
      (level) => levels[level] ?? "",
      (level) => {
        this.#level = level;
        this.#draw();
      },
    );
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    part(".figure-controls").append(
      element(
        "span",
        { role: "group", "aria-label": "Residual road" },
        "Residual road ",
        ...this.#roads,
      ),
      this.#slider.element,
    );
    const places = [element("div"), element("div")] as const;
    part(".picture").append(...places);
    this.#floors = new Picture(places[0], TOP + levels.length * FLOOR + 8);
    this.#chart = new Picture(places[1], CHART);
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { level: this.#level };
  }

  set place(place: unknown) {
    const { level } = (place ?? {}) as { level?: unknown };
    if (Number.isInteger(level)) this.#level = level as number;
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#trace = trace as TowerTrace;
    if (!this.#trace.levels[this.#level]) this.#level = this.#trace.levels.length - 1;
    for (const [index, button] of this.#roads.entries())
      button.setAttribute("aria-pressed", String(ROADS[index] === trace.inputs.residual));
    this.#slider.show(this.#level);
    this.#draw();
  }

  #draw(): void {
    const told = this.#trace.told[this.#level] ?? "";
    this.#how.textContent = told;
    this.#floors.show(`The vectors of four words at each level. ${told}`, (width) =>
      floors(width, this.#trace, this.#level),
    );
    this.#chart.show("How alike the words are at each level", (width) =>
      chart(width, this.#trace, this.#level),
    );
  }
}

/** A strip for each word on each floor; the start is the ground floor. */
function floors(width: number, { words, levels, vectors }: TowerTrace, chosen: number): Node[] {
  const features = vectors[0]?.[0]?.length ?? 1;
  const wide = Math.min((width - LEFT - GAP * (words.length - 1)) / words.length, 150);
  const x = (word: number) => LEFT + word * (wide + GAP);
  const y = (level: number) => TOP + (levels.length - 1 - level) * FLOOR;
  const strips = vectors.flatMap((floor, level) =>
    floor.flatMap((vector, word) =>
      vector.map((value, feature) =>
        svg("rect", {
          class: value < 0 ? "minus" : "plus",
          x: x(word) + (feature * wide) / features,
          y: y(level),
          width: wide / features,
          height: FLOOR - 4,
          style: `--share: ${Math.min(Math.abs(value) / FULL, 1).toFixed(2)}`,
        }),
      ),
    ),
  );
  const end = x(words.length - 1) + wide;
  return [
    ...words.map((word, index) => label(x(index) + wide / 2, 13, word)),
    ...levels.map((name, level) => label(LEFT - 8, y(level) + 12, name, "end")),
    ...strips,
    svg("rect", {
      class: "chosen",
      x: LEFT - 3,
      y: y(chosen) - 3,
      width: end - LEFT + 6,
      height: FLOOR + 2,
    }),
  ];
}

function chart(width: number, { levels, alike }: TowerTrace, chosen: number): Node[] {
  const [left, right, top, bottom] = [34, 10, 30, CHART - 30];
  const last = levels.length - 1;
  const x = (level: number) => left + ((width - left - right) * level) / last;
  const y = (cosine: number) => bottom - (bottom - top) * Math.max(cosine, -0.1);
  const grid = [0, 0.5, 1].flatMap((cosine) => [
    svg("path", { class: "grid", d: `M${left} ${y(cosine)} H${width - right}` }),
    label(left - 6, y(cosine) + 4, String(cosine), "end"),
  ]);
  const lines = alike.flatMap((row, road) => [
    svg("polyline", {
      class: ROADS[road] ?? "",
      points: row.map((cosine, level) => `${x(level)},${y(cosine)}`).join(" "),
    }),
    svg("circle", { class: `${ROADS[road]} here`, cx: x(chosen), cy: y(row[chosen] ?? 0), r: 5 }),
  ]);
  const names = ROADS.map((road, index) =>
    label(x(last - 1), y(alike[index]?.[last - 1] ?? 0) + (index ? 18 : 20), road, "middle", road),
  );
  const ends = [
    label(left, bottom + 22, "start", "start"),
    label(x(last), bottom + 22, "top", "end"),
  ];
  return [
    label(0, 13, "How alike the words are", "start", "title"),
    ...grid,
    ...lines,
    ...names,
    ...ends,
  ];
}
