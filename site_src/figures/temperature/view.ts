// One row of softmax as bars, with its temperature on a slider.

import { bars } from "../bars";
import { element } from "../elements";
import { Slider } from "../slider";
import { Picture } from "../svg";
import { drawTables } from "../tables";
import type { Figure, Trace, View } from "../trace";

const HEIGHT = 200;
const [WIDEST, NARROW] = [110, 56]; // pixels of a bar: at most; below which its name is short

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new TemperatureView(figure, stage);
}

class TemperatureView implements View {
  place: unknown = null;
  #trace!: Trace;
  readonly #slider: Slider;
  readonly #picture: Picture;
  readonly #how: HTMLElement;

  constructor(
    figure: Figure,
    readonly stage: HTMLElement,
  ) {
    const values = Object.values(figure.traces).map(({ inputs }) => inputs.temperature as number);
    this.#slider = new Slider("Temperature", values, String, (temperature) =>
      figure.change({ ...this.#trace.inputs, temperature }),
    );
    stage.querySelector(".figure-controls")?.append(this.#slider.element);
    const place = element("div");
    stage.querySelector(".picture")?.append(place);
    this.#picture = new Picture(place, HEIGHT);
    this.#how = stage.querySelector(".how") as HTMLElement;
    this.#how.setAttribute("role", "status");
  }

  draw(trace: Trace): void {
    drawTables(this.stage, trace);
    this.#trace = trace;
    this.#slider.show(trace.inputs.temperature as number);
    const weights = trace.matrices[1]?.values[0];
    const shown = trace.matrices[0]?.shown[0] ?? [];
    this.#how.textContent = trace.picture ?? "";
    this.#picture.show(trace.picture ?? "", (full) => {
      const width = Math.min(full, WIDEST * shown.length); // bars that can be compared
      const names = shown.map((score) =>
        width / shown.length < NARROW ? score : `score ${score}`,
      );
      return bars({ shares: weights ?? [], names, x: 0, width, height: HEIGHT });
    });
  }
}
