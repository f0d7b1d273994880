// A slider over a few values, with its name and its value beside it.

import { element } from "./elements";

export class Slider {
  readonly element: HTMLLabelElement;
  readonly #field = element("input", { type: "range", min: "0", step: "1" });
  readonly #shown = element("span", { class: "value", "aria-hidden": "true" });

  /** write: a value as text. choose: called with each value that is slid to. */
  constructor(
    readonly name: string,
    readonly values: number[],
    readonly write: (value: number) => string,
    choose: (value: number) => void,
  ) {
    this.#field.max = String(values.length - 1);
    this.#field.addEventListener("input", () => {
      const value = values[Number(this.#field.value)] as number;
      this.show(value);
      choose(value);
    });
    this.element = element("label", { class: "slider" }, `${name} `, this.#field, this.#shown);
  }

  /** Shows a value; one that is not on the scale stands at its nearest place, as itself. */
  show(value: number): void {
    const distances = this.values.map((one) => Math.abs(one - value));
    this.#field.value = String(distances.indexOf(Math.min(...distances)));
    const text = this.write(value);
    this.#field.setAttribute("aria-valuetext", text);
    this.#shown.textContent = text;
  }
}
