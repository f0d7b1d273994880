// Two nouns, two last words: in the first layer the ratio of the weights stays, in the second it flips.

import { bars } from "../bars";
import { element } from "../elements";
import { select } from "../select";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

interface FlipTrace extends Trace {
  ratios: Record<string, [string, string]>; // of each layer: tired, wide
}

const LAST_WORDS = ["tired", "wide"];
const [HEIGHT, BARS, GAP, WIDEST] = [210, 130, 24, 420];

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new FlipView(figure, stage);
}

class FlipView implements View {
  place: unknown = null;
  readonly #choice = element("span");
  readonly #pictures: Picture[];
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const part = (name: string) => stage.querySelector(name) as HTMLElement;
    part(".figure-controls").append(this.#choice);
    const places = [element("div"), element("div")];
    part(".picture").append(...places);
    this.#pictures = places.map((place) => new Picture(place, HEIGHT));
    this.#how = part(".how");
    this.#how.setAttribute("role", "status");
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#drawChoice(trace.inputs.layer as number);
    this.#how.textContent = trace.picture ?? "";
    const { ratios } = trace as FlipTrace;
    for (const [index, picture] of this.#pictures.entries()) {
      const matrix = trace.matrices[index];
      const name = matrix ? `Layer ${index + 1}` : "An untrained layer has none above it";
      picture.show(name, (width) => [
        label(0, 13, name, "start", "title"),
        ...(matrix ? pair(width, matrix.values, matrix.shown, ratios[matrix.name] ?? []) : []),
      ]);
    }
  }

  #drawChoice(layer: number): void {
    const names = Object.values(this.figure.traces).map(({ inputs }): [string, string] => {
      const number = inputs.layer as number;
      return [String(number), number ? `untrained, no. ${number}` : "trained"];
    });
    const field = select("layer", names, String(layer), (chosen) =>
      this.figure.change({ layer: Number(chosen) }),
    );
    const focused = this.#choice.contains(document.activeElement);
    this.#choice.replaceChildren(element("label", {}, "First layer ", field));
    if (focused) field.focus();
  }
}

/** The weights under either last word, side by side. */
function pair(full: number, values: number[][], shown: string[][], ratios: string[]): Node[] {
  const wide = (Math.min(full, WIDEST) - GAP) / 2;
  return values.flatMap((shares, sentence) => {
    const x = sentence * (wide + GAP);
    const nouns = ["animal", "street"].map((noun, index) => `${noun} ${shown[sentence]?.[index]}`);
    const group = svg("g", { transform: "translate(0 22)" });
    group.append(...bars({ shares, names: nouns, x, width: wide, height: BARS }));
    return [
      group,
      label(x + wide / 2, BARS + 38, `… too ${LAST_WORDS[sentence]}`),
      label(x + wide / 2, BARS + 56, `log-ratio ${ratios[sentence]}`, "middle", "title"),
    ];
  });
}
