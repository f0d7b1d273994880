// A cell's output: text as it comes, the reader's text never taken for HTML.

import type { PythonError, Stream } from "../runtime/protocol";

export class Output {
  readonly #printed: Node[];
  readonly printedText: string;

  constructor(readonly element: HTMLOutputElement) {
    this.#printed = [...element.childNodes].map((node) => node.cloneNode(true));
    this.printedText = this.text;
  }

  get text(): string {
    return this.element.textContent ?? "";
  }

  /** Empties it for a run, at the height that it had, so that the page does not jump. */
  begin(): void {
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
    this.element.replaceChildren();
  }

  end(): void {
    this.element.style.minHeight = "";
  }

  /** What the page showed before anything was run. */
  restore(): void {
    this.element.replaceChildren(...this.#printed.map((node) => node.cloneNode(true)));
  }

  write(stream: Stream, text: string): void {
    this.#append(stream, text);
  }

  fail(error: PythonError): void {
    this.#append("traceback", error.traceback);
  }

  #append(kind: string, text: string): void {
    const last = this.element.lastElementChild;
    if (last?.className === kind) last.append(text);
    else {
      const part = document.createElement("span");
      part.className = kind;
      part.append(text);
      this.element.append(part);
    }
  }
}
