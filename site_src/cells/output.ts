// A cell's output: text as it comes, the reader's text never taken for HTML.

import type { Display, PythonError, Stream } from "../runtime/protocol";
import { Overflow } from "./overflow";

const COMPANION = new URL("../../companion/multi-head/", import.meta.url).href;

export class Output {
  readonly #printed: Node[];
  readonly printedText: string;
  #overflow: Overflow | null = null;

  constructor(readonly element: HTMLOutputElement) {
    this.#printed = [...element.childNodes].map((node) => node.cloneNode(true));
    this.printedText = this.text;
  }

  get text(): string {
    return this.element.textContent ?? "";
  }

  get empty(): boolean {
    return !this.element.hasChildNodes();
  }

  /** Empties it for a run, at the height that it had, so that the page does not jump. */
  begin(): void {
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
    this.element.replaceChildren();
    this.#forgetOverflow();
  }

  end(): void {
    this.element.style.minHeight = "";
  }

  /** What the page showed before anything was run. */
  restore(): void {
    this.element.replaceChildren(...this.#printed.map((node) => node.cloneNode(true)));
    this.#forgetOverflow();
  }

  write(stream: Stream, text: string): void {
    this.#append(stream, text);
  }

  /** Keeps what is too much to be shown, for a download. name: of the cell. */
  overflow(text: string, name: string): void {
    this.#overflow ??= new Overflow(this.element, name);
    this.#overflow.add(text);
  }

  #forgetOverflow(): void {
    this.#overflow?.element.remove();
    this.#overflow = null;
  }

  fail(error: PythonError): void {
    this.#append("traceback", error.traceback);
    if (!error.advice) return;
    this.#append("advice", error.advice);
    if (error.companion)
      this.element.lastElementChild?.append(" ", link("PyTorch pages", COMPANION));
  }

  /** A picture or a table. What draws it is loaded when the first one comes; its place is kept. */
  show(display: Display): void {
    const place = document.createElement("div");
    place.className = "display";
    this.element.append(place);
    import("./displays").then(
      ({ drawn }) => place.replaceChildren(drawn(display)),
      () => place.append(display.alt),
    );
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

function link(text: string, address: string): HTMLAnchorElement {
  const element = document.createElement("a");
  element.href = address;
  element.textContent = text;
  return element;
}
