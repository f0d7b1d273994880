// Numbers that move: features are dealt out to heads and merged again.

import { element } from "../elements";
import { select } from "../select";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface Stage {
  title: string;
  shape: string;
  says: string;
  places: Record<string, [number, number, number]>; // block, row, column of each number
}

interface SplitTrace extends Trace {
  stages: Stage[];
  heads: number[][]; // the numbers that belong to each head
}

const WAYS: [string, string][] = [
  ["right", "the right way"],
  ["mistake", "a common mistake"],
];
const [ROWS, GAP, TOP] = [4, 22, 8];
const COLUMNS = 6;

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new SplitView(figure, stage);
}

class SplitView implements View {
  #trace!: SplitTrace;
  #stage = 0;
  readonly #picture: Picture;
  readonly #back: HTMLElement;
  readonly #next: HTMLElement;
  readonly #way = element("span");
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    const button = (text: string, by: number) =>
      element("button", { type: "button", click: () => this.#go(by) }, text);
    this.#back = button("Back", -1);
    this.#next = button("Next", 1);
    part(".figure-controls").append(this.#back, this.#next, this.#way);
    const place = element("div");
    part(".picture").append(place);
    this.#picture = new Picture(place, 190);
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
  }

  get place(): unknown {
    return { stage: this.#stage };
  }

  set place(place: unknown) {
    this.#stage = Math.trunc(Number((place as { stage?: unknown } | null)?.stage)) || 0;
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#trace = trace as SplitTrace;
    const way = select("way", WAYS, String(trace.inputs.way), (chosen) => {
      this.#stage = 0;
      this.figure.change({ way: chosen });
    });
    const focused = this.#way.contains(document.activeElement);
    this.#way.replaceChildren(element("label", {}, "Show ", way));
    if (focused) way.focus();
    this.#go(0);
  }

  #go(by: number): void {
    const { stages } = this.#trace;
    this.#stage = Math.max(0, Math.min(this.#stage + by, stages.length - 1));
    const { title, shape, says } = stages[this.#stage] as Stage;
    this.#back.setAttribute("aria-disabled", String(this.#stage === 0));
    this.#next.setAttribute("aria-disabled", String(this.#stage === stages.length - 1));
    this.#how.textContent = `${this.#stage + 1} of ${stages.length}. ${title}: ${shape}. ${says}`;
    this.#picture.move(`${title}: ${shape}`, (width) => this.#numbers(width));
  }

  /** Each number as a group that keeps its key, so that it moves to its new place. */
  #numbers(width: number): SVGElement[] {
    const { places } = this.#trace.stages[this.#stage] as Stage;
    const size = Math.min(36, (width - 2 * GAP) / COLUMNS);
    const blocks = Math.max(...Object.values(places).map(([block]) => block)) + 1;
    const wide = blocks > 1 ? COLUMNS / blocks : COLUMNS;
    return Object.entries(places).map(([number, [block, row, column]]) => {
      const x = block * (wide * size + GAP) + column * size;
      const head = this.#trace.heads.findIndex((own) => own.includes(Number(number)));
      const group = svg(
        "g",
        { class: `number head-${head + 1}`, "data-key": number },
        svg("rect", { width: size - 2, height: size - 2, rx: 3 }),
        label(size / 2 - 1, size / 2 + 4, number),
      );
      group.style.transform = `translate(${x}px, ${TOP + row * Math.min(size, 170 / ROWS)}px)`;
      return group;
    });
  }
}
