// A line of words to choose from, with arcs to what the chosen one attends to, on either side.

import { element } from "../elements";
import { svg } from "../svg";

const FAINTEST = 0.01; // a share below this gets neither arc nor number
const ROOM = 90; // pixels for arcs on each side
const MOST_TOLD = 3; // shares of a row, in words
const GAP = 4; // between a word and its arcs

/** Where the words stand, and how far arcs may reach. */
interface Line {
  at: number[];
  tall: boolean;
  room: number;
}

interface Side {
  shares: number[];
  arcs: SVGElement;
}

export class Words {
  readonly element = element("div", { class: "sentence" });
  readonly #words = element("div", { class: "words", role: "radiogroup", "aria-label": "Word" });
  readonly #before: Side = { shares: [], arcs: svg("g") };
  readonly #after: Side = { shares: [], arcs: svg("g") };
  #chosen = 0;

  constructor(readonly choose: (index: number) => void) {
    const arcs = svg("svg", { "aria-hidden": "true" }, this.#before.arcs, this.#after.arcs);
    this.element.append(arcs, this.#words);
    this.#words.addEventListener("keydown", (event) => this.#move(event));
    new ResizeObserver(() => this.#lay()).observe(this.element);
  }

  /** before, after: the shares that the chosen word gives, drawn above and below the line. */
  draw(words: string[], chosen: number, before: number[], after: number[]): void {
    this.#chosen = chosen;
    this.#before.shares = before;
    this.#after.shares = after;
    const { children } = this.#words;
    if (children.length !== words.length)
      this.#words.replaceChildren(...words.map((_, index) => this.#button(index)));
    for (const [index, word] of words.entries()) {
      const [above, text, below] = (children[index] as HTMLElement).children;
      children[index]?.setAttribute("aria-checked", String(index === chosen));
      children[index]?.setAttribute("tabindex", index === chosen ? "0" : "-1");
      for (const [place, shown] of [
        [above, percent(before[index])],
        [text, word],
        [below, percent(after[index])],
      ] as [Element, string][])
        if (place.textContent !== shown) place.textContent = shown;
    }
    this.#lay();
  }

  #button(index: number): HTMLElement {
    return element(
      "button",
      {
        type: "button",
        role: "radio",
        "data-key": `word ${index}`,
        click: () => this.choose(index),
      },
      element("span", { class: "share", "aria-hidden": "true" }),
      element("span"),
      element("span", { class: "share", "aria-hidden": "true" }),
    );
  }

  #move(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's own
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const buttons = [...this.#words.children] as HTMLElement[];
    const last = buttons.length - 1;
    const at = { Home: 0, End: last }[event.key] ?? this.#chosen + (by ?? Number.NaN);
    if (Number.isNaN(at)) return;
    event.preventDefault();
    const place = at < 0 ? last : at > last ? 0 : at;
    this.choose(place);
    buttons[place]?.focus();
  }

  /** In a row where it fits, else one below the other. */
  #lay(): void {
    this.element.classList.remove("tall");
    const tall = this.#words.scrollWidth > this.element.clientWidth;
    this.element.classList.toggle("tall", tall);
    const origin = this.element.getBoundingClientRect();
    const boxes = [...this.#words.children].map((one) => one.getBoundingClientRect());
    const middles = boxes.map((box) =>
      tall ? box.y + box.height / 2 - origin.y : box.x + box.width / 2 - origin.x,
    );
    const edge = (side: "start" | "end") => {
      const edges = boxes.map((box) => {
        if (tall) return side === "start" ? box.left - origin.x : box.right - origin.x;
        return side === "start" ? box.top - origin.y : box.bottom - origin.y;
      });
      return side === "start" ? Math.min(...edges) : Math.max(...edges);
    };
    const line: Line = { at: middles, tall, room: ROOM };
    if (tall) line.room = Math.min(edge("start"), origin.width - edge("end")) - 2 * GAP;
    this.#arcs(this.#before, line, edge("start"), -1);
    this.#arcs(this.#after, line, edge("end"), 1);
  }

  /** One arc for each word, so that a share that changes grows or shrinks in its place. */
  #arcs({ shares, arcs }: Side, line: Line, edge: number, way: 1 | -1): void {
    const { at } = line;
    while (arcs.childElementCount < at.length) arcs.append(svg("path"));
    while (arcs.childElementCount > at.length) arcs.lastElementChild?.remove();
    const from = at[this.#chosen] ?? 0;
    for (const [index, arc] of [...arcs.children].entries()) {
      const share = Math.min(shares[index] ?? 0, 1); // without softmax it may be anything
      arc.setAttribute("d", path(from, at[index] ?? 0, edge, way, line));
      (arc as SVGElement).style.strokeWidth = String(share < FAINTEST ? 0 : 1 + 5 * share);
      (arc as SVGElement).style.strokeOpacity = String(share < FAINTEST ? 0 : 0.35 + 0.65 * share);
    }
  }
}

/** An arc between two places on a line, or a loop where they are one. */
function path(from: number, to: number, edge: number, way: 1 | -1, line: Line): string {
  const spread = from === to ? 14 : 0;
  const depth = Math.min(line.room / 0.75, 22 + Math.abs(to - from) * 0.5);
  const point = (along: number, out: number) => {
    const across = edge + way * (GAP + out);
    return line.tall ? `${across} ${along}` : `${along} ${across}`;
  };
  const [start, end] = [from - spread / 2, to + spread / 2];
  return `M${point(start, 0)} C${point(start - spread, depth)} ${point(end + spread, depth)} ${point(end, 0)}`;
}

function percent(share = 0): string {
  return share < FAINTEST ? "" : `${Math.round(share * 100)}%`;
}

/** The largest shares of a row, in words. */
export function largest(words: string[], shares: number[]): string {
  const most = shares
    .map((share, index) => ({ share, word: words[index] }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_TOLD)
    .filter(({ share }) => share >= 0.01);
  const told = most.map(({ share, word }) => `${word} (${Math.round(share * 100)}%)`);
  return told.join(", ") || "no word with 1% or more";
}

/** Whether a link's data names a word by its place. */
export function isPlace(word: unknown): word is number {
  return Number.isInteger(word) && (word as number) >= 0;
}
