// Scores as they are beside scores ÷ √d_k: spread, softmax of a row, and the gradient that survives.

import { bars } from "../bars";
import { element } from "../elements";
import { Slider } from "../slider";
import { label, Picture, svg } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Matrix, Trace, View } from "../trace";

interface ScalingTrace extends Trace {
  histograms: [number[], number[]]; // as they are, divided
  edge: number;
}

const KINDS = ["raw", "scaled"];
const NAMES = ["as they are", "÷ √d_k"] as const;
const GAP = 28; // between the two columns
const [SPREAD, ROW, GRADIENT] = [170, 130, 210]; // heights
const MEAN = 2; // the summary's column of the mean gradient

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new ScalingView(figure, stage);
}

class ScalingView implements View {
  place: unknown = null;
  #trace!: ScalingTrace;
  #seed = 0; // last asked for: each press draws anew, drawn or not
  readonly #sizes: number[];
  readonly #slider: Slider;
  readonly #pictures: Picture[];
  readonly #how: HTMLElement;

  constructor(
    readonly figure: Figure,
    readonly stage: HTMLElement,
  ) {
    this.#sizes = Object.values(figure.traces).map(({ inputs }) => inputs.d_k as number);
    this.#slider = new Slider("d_k", this.#sizes, String, (d_k) =>
      figure.change({ ...this.#trace.inputs, d_k }),
    );
    const again = () => {
      this.#seed += 1;
      figure.change({ ...this.#trace.inputs, seed: this.#seed });
    };
    stage
      .querySelector(".figure-controls")
      ?.append(
        this.#slider.element,
        element("button", { type: "button", click: again }, "Draw other numbers"),
      );
    const places = [SPREAD, ROW, GRADIENT].map(() => element("div"));
    stage.querySelector(".picture")?.append(...places);
    this.#pictures = [SPREAD, ROW, GRADIENT].map(
      (height, index) => new Picture(places[index] as HTMLElement, height),
    );
    this.#how = stage.querySelector(".how") as HTMLElement;
    this.#how.setAttribute("role", "status");
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#trace = trace as ScalingTrace;
    const d_k = trace.inputs.d_k as number;
    this.#seed = trace.inputs.seed as number;
    this.#slider.show(d_k);
    this.#how.textContent = trace.picture ?? "";
    const [weights, summary] = trace.matrices as [Matrix, Matrix];
    const { histograms, edge } = this.#trace;
    const [spread, row, gradient] = this.#pictures as [Picture, Picture, Picture];
    spread.show("Histograms of the scores", (width) =>
      histogramPair(width, histograms, summary, edge),
    );
    row.show("Softmax of the first row", (width) => rowPair(width, weights));
    gradient.show("The trace of softmax’s Jacobian for each d_k", (width) =>
      this.#curves(width, d_k, summary),
    );
  }

  /** The mean surviving gradient for all lengths of the page's draw, and this draw's own points. */
  #curves(width: number, d_k: number, summary: Matrix): Node[] {
    const [left, right, top, bottom] = [34, 10, 30, GRADIENT - 30];
    const last = Math.log2(this.#sizes.at(-1) ?? 1);
    const x = (size: number) => left + ((width - left - right) * Math.log2(size)) / last;
    const y = (share: number) => bottom - (bottom - top) * share;
    const grid = [0, 0.5, 1].flatMap((share) => [
      svg("path", { class: "grid", d: `M${left} ${y(share)} H${width - right}` }),
      label(left - 6, y(share) + 4, String(share), "end"),
    ]);
    const ticks = this.#sizes
      .filter((_, index) => index % 2 === 0)
      .map((size) =>
        label(x(size), bottom + 18, String(size), size === this.#sizes.at(-1) ? "end" : "middle"),
      );
    const means = Object.values(this.figure.traces).map(({ matrices }) => matrices[1] as Matrix);
    const lines = KINDS.flatMap((kind, index) => {
      const points = means.map(({ values }, at) => {
        const share = values[index]?.[MEAN] ?? 0;
        return `${x(this.#sizes[at] as number)},${y(share)}`;
      });
      const here = y(summary.values[index]?.[MEAN] ?? 0);
      return [
        svg("polyline", { class: kind, points: points.join(" ") }),
        svg("circle", { class: `${kind} here`, cx: x(d_k), cy: here, r: 5 }),
      ];
    });
    const height = (kind: number, size: number) =>
      y(means[this.#sizes.indexOf(size)]?.values[kind]?.[MEAN] ?? 0);
    const names = [
      label(x(32) - 12, height(0, 32) + 8, NAMES[0], "end", "raw"),
      label(x(256), height(1, 256) - 10, NAMES[1], "middle", "scaled"),
    ];
    return [title(0, "Trace of softmax’s Jacobian, by d_k"), ...grid, ...ticks, ...lines, ...names];
  }
}

function title(x: number, text: string): SVGElement {
  return label(x, 13, text, "start", "title");
}

/** Two columns: their left edges and their width. */
function columns(width: number): { at: [number, number]; wide: number } {
  const wide = (width - GAP) / 2;
  return { at: [0, wide + GAP], wide };
}

function histogramPair(
  width: number,
  histograms: [number[], number[]],
  { values }: Matrix,
  edge: number,
): Node[] {
  const { at, wide } = columns(width);
  const [top, bottom] = [44, SPREAD - 22];
  return histograms.flatMap((counts, kind) => {
    const x = (value: number) => (at[kind] as number) + ((value + edge) / (2 * edge)) * wide;
    const most = Math.max(...counts);
    const drawn = counts.map((count, bin) => {
      const tall = ((bottom - top) * count) / most;
      const [from, to] = [x(bin - edge), x(bin - edge + 1)];
      return svg("rect", {
        class: KINDS[kind] ?? "",
        x: from,
        y: bottom - tall,
        width: Math.max(to - from - 0.5, 0.5),
        height: tall,
      });
    });
    const [deviation, beyond] = values[kind] as [number, number];
    const outside = beyond >= 0.005 ? `, ${Math.round(beyond * 100)}% beyond` : "";
    return [
      title(at[kind] as number, kind ? "Scores ÷ √d_k" : "Scores"),
      label(at[kind] as number, 30, `deviation ${deviation.toFixed(1)}${outside}`, "start"),
      ...drawn,
      svg("path", { class: "grid", d: `M${x(-edge)} ${bottom} H${x(edge)}` }),
      ...[-20, 0, 20].map((value) => label(x(value), bottom + 16, String(value).replace("-", "−"))),
    ];
  });
}

function rowPair(width: number, { values }: Matrix): Node[] {
  const { at, wide } = columns(width);
  return values.flatMap((shares, kind) => {
    const x = at[kind] as number;
    const drawn = svg("g", { transform: "translate(0 14)" });
    drawn.append(...bars({ shares, names: [], x, width: wide, height: ROW - 14 }));
    return [title(x, "Softmax of one row"), drawn];
  });
}
