// Short hands for pictures: SVG elements out of data, drawn as wide as their place is.

/** An SVG element with attributes and children. */
export function svg(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Text at a place; anchor: which end of it stands there. */
export function label(
  x: number,
  y: number,
  text: string,
  anchor: "start" | "middle" | "end" = "middle",
  kind = "",
): SVGElement {
  return svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
}

/** A picture in pixels of the page, so that its text has one size on every screen. */
export class Picture {
  #width = 0;
  #draw: ((width: number) => Node[]) | null = null;
  readonly #svg: SVGElement;

  constructor(
    readonly place: HTMLElement,
    readonly height: number,
  ) {
    this.#svg = svg("svg", { role: "img", height });
    place.append(this.#svg);
    new ResizeObserver(() => this.#fit()).observe(place);
  }

  /** says: the picture in words. draw: what is in it, for a width. */
  show(says: string, draw: (width: number) => Node[]): void {
    this.#svg.setAttribute("aria-label", says);
    this.#draw = draw;
    this.#redraw(this.place.clientWidth);
  }

  /** Like show, but groups that have a data-key move from where they are to where they will be. */
  move(says: string, draw: (width: number) => SVGElement[]): void {
    this.#svg.setAttribute("aria-label", says);
    this.#draw = draw;
    const { clientWidth } = this.place;
    const moving = new Map(
      [...this.#svg.children].map((one) => [one.getAttribute("data-key"), one as SVGElement]),
    );
    if (clientWidth !== this.#width || !moving.size) this.#redraw(clientWidth);
    else
      for (const to of draw(clientWidth)) {
        const one = moving.get(to.getAttribute("data-key"));
        if (one) one.style.transform = to.style.transform;
      }
  }

  #fit(): void {
    const width = this.place.clientWidth;
    if (width !== this.#width) this.#redraw(width);
  }

  #redraw(width: number): void {
    this.#width = width;
    this.#svg.setAttribute("width", String(width));
    if (this.#draw && width) this.#svg.replaceChildren(...this.#draw(width));
  }
}
