// A line of words to choose from, with arcs to what the chosen one attends to, on either side.

import { element } from "../elements";
import { svg } from "../svg";

const FAINTEST = 0.01; // a share below this gets neither arc nor number
const ROOM = 90; // pixels for arcs on each side
const MOST_TOLD = 3; // shares of a row, in words
const GAP = 4; // between a word and its arcs

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
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const buttons = [...this.#words.children] as HTMLElement[];
    const at = { Home: 0, End: buttons.length - 1 }[event.key] ?? this.#chosen + (by ?? NaN);
    if (!buttons[at]) return;
    event.preventDefault();
    this.choose(at);
    buttons[at].focus();
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
    this.#arcs(this.#before, middles, edge("start"), -1, tall);
    this.#arcs(this.#after, middles, edge("end"), 1, tall);
  }

  /** One arc for each word, so that a share that changes grows or shrinks in its place. */
  #arcs({ shares, arcs }: Side, at: number[], edge: number, way: 1 | -1, tall: boolean): void {
    while (arcs.childElementCount < at.length) arcs.append(svg("path"));
    while (arcs.childElementCount > at.length) arcs.lastElementChild?.remove();
    const from = at[this.#chosen] ?? 0;
    for (const [index, arc] of [...arcs.children].entries()) {
      const share = shares[index] ?? 0;
      arc.setAttribute("d", path(from, at[index] ?? 0, edge, way, tall));
      (arc as SVGElement).style.strokeWidth = String(share < FAINTEST ? 0 : 1 + 5 * share);
      (arc as SVGElement).style.strokeOpacity = String(share < FAINTEST ? 0 : 0.35 + 0.65 * share);
    }
  }
}

/** An arc between two places on a line, or a loop where they are one. */
function path(from: number, to: number, edge: number, way: 1 | -1, tall: boolean): string {
  const spread = from === to ? 14 : 0;
  const depth = Math.min(ROOM / 0.75, 22 + Math.abs(to - from) * 0.5);
  const point = (along: number, out: number) => {
    const across = edge + way * (GAP + out);
    return tall ? `${across} ${along}` : `${along} ${across}`;
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
  return most.map(({ share, word }) => `${word} (${Math.round(share * 100)}%)`).join(", ");
}
