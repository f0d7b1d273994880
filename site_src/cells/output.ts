// A cell's output: text as it comes, the reader's text never taken for HTML.

import type { Display, PythonError, Stream } from "../runtime/protocol";
import { Overflow } from "./overflow";

const COMPANION = new URL("../../companion/multi-head/", import.meta.url).href;
// After so many characters a part ends with its line; parts are laid out one by one.
const FULL = 8_000;
const LINE = 50; // characters that a line counts for, however short

export class Output {
  readonly #printed: Node[];
  readonly printedText: string;
  #overflow: Overflow | null = null;
  #length = 0; // of the last part, in characters

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
    if (last?.className !== kind) this.#begin(kind, text);
    else if (this.#length < FULL || !text.includes("\n")) this.#extend(last, text);
    else {
      const end = text.indexOf("\n") + 1;
      this.#extend(last, text.slice(0, end));
      last.classList.add("full");
      if (end < text.length) this.#begin(kind, text.slice(end));
    }
  }

  #begin(kind: string, text: string): void {
    const part = document.createElement("span");
    part.className = kind;
    this.#length = 0;
    this.#extend(part, text);
    this.element.append(part);
  }

  #extend(part: Element, text: string): void {
    part.append(text);
    this.#length += text.length + LINE * (text.split("\n").length - 1);
  }
}

function link(text: string, address: string): HTMLAnchorElement {
  const element = document.createElement("a");
  element.href = address;
  element.textContent = text;
  return element;
}
