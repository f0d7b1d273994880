// Below an output that was cut: how much of it is shown, and the whole of it as a download.

import { KEPT, SHOWN } from "../runtime/protocol";
import { button } from "./button";

const GROUPED = new Intl.NumberFormat("en");

export class Overflow {
  readonly element = document.createElement("p");
  readonly #shown: string;
  readonly #rest: string[] = [];

  /** output: the element whose text was cut; this goes below it. name: of its cell. */
  constructor(
    output: HTMLElement,
    readonly name: string,
  ) {
    this.#shown = output.textContent ?? "";
    this.element.className = "overflow";
    this.element.append(`Only the first ${this.#extent()} are shown. `, this.#button());
    output.after(this.element);
  }

  add(text: string): void {
    this.#rest.push(text);
  }

  #extent(): string {
    const characters = this.#shown.length >= SHOWN.characters;
    return characters
      ? `${GROUPED.format(SHOWN.characters)} characters`
      : `${GROUPED.format(SHOWN.lines)} lines`;
  }

  #button(): HTMLButtonElement {
    const text = `Download up to ${KEPT / 1e6} MB`;
    return button("link", text, `${text} of what ${this.name} printed`, () => this.#download());
  }

  #download(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.#shown, ...this.#rest], { type: "text/plain" }));
    link.download = `${this.name}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  }
}
