// The code of a cell: printed at first, an editor from the moment a reader reaches for it.

import type { Editor } from "./editor";
import { Edits, type Kept } from "./edits";

export interface CodeBoxOptions {
  page: string;
  name: string;
  label: string; // accessible name of the text box
  hintId: string; // the element that says how to leave the editor
  elsewhere(): string; // the code of the page's other cells
  onChange(): void;
  onTrouble(trouble: string): void;
  onRun(): void;
  onRunAndMoveOn(): void;
}

export class CodeBox {
  readonly printed: string;
  code: string;
  readonly #edits: Edits;
  #editor: Promise<Editor> | null = null;
  #marked: number | null = null; // the line of an error, counted from 1
  #pointed: { x: number; y: number } | null = null; // where in the printed code

  constructor(
    readonly element: HTMLElement,
    readonly options: CodeBoxOptions,
  ) {
    this.printed = (element.textContent ?? "").replace(/\n$/, "");
    this.#edits = new Edits(options.page, options.name, this.printed);
    this.code = this.#edits.code;
    this.#awaitReader();
    this.#print();
    if (this.edited) this.#edit().catch(() => {});
  }

  get edited(): boolean {
    return this.code !== this.printed;
  }

  get edits(): Kept {
    return this.#edits.kept;
  }

  /** Whether the text is one that came with a link. */
  get shared(): boolean {
    return this.edited && this.edits.shared !== null;
  }

  /** Whether the browser keeps the edit for the reader's next visit. */
  get safe(): boolean {
    return this.#edits.safe;
  }

  /** Puts other edits, or none, in the place of the present ones. */
  async replace(edits: Kept): Promise<void> {
    this.#edits.keep(edits);
    this.code = this.#edits.code;
    this.#print();
    this.options.onChange();
    await this.#edit().then(
      (editor) => {
        editor.code = this.code;
      },
      () => {}, // told by onTrouble
    );
  }

  /** Shows the printed lines above those that were changed, or no longer. Rejects if that does not
   * load, which onTrouble has then told. */
  async compare(shown: boolean): Promise<void> {
    const editor = await this.#edit();
    await editor.compare(shown ? this.printed : null).catch((error) => {
      this.options.onTrouble("The difference could not be loaded. Press the button to try again.");
      throw error;
    });
  }

  /** Marks the line of an error, until the next keystroke or run; null takes the mark away. */
  mark(line: number | null): void {
    this.#marked = line;
    this.#editor?.then((editor) => editor.mark(this.#marked)).catch(() => {});
    const printed = this.element.querySelector<HTMLElement>("pre");
    if (!printed) return;
    printed.classList.toggle("marked", line !== null);
    printed.style.setProperty("--marked", String(line ?? 0));
    printed.ariaInvalid = line === null ? null : "true";
  }

  focus(): void {
    this.element.querySelector<HTMLElement>("[role=textbox]")?.focus();
  }

  /** Shows the code where there is no editor yet: what is to be seen is what would run. */
  #print(): void {
    const printed = this.element.querySelector("pre > code");
    if (printed && printed.textContent?.replace(/\n$/, "") !== this.code)
      printed.replaceChildren(this.code);
  }

  /** Makes the printed code a text box that turns into the editor on focus. */
  #awaitReader(): void {
    // Not the <code> inside: there Material sets and removes tabindex, so that wide code can be
    // scrolled by keyboard. Its focus counts too, hence focusin.
    const code = this.element.querySelector("pre") as HTMLElement;
    code.tabIndex = 0;
    code.setAttribute("role", "textbox");
    code.setAttribute("aria-multiline", "true");
    code.setAttribute("aria-label", this.options.label);
    code.setAttribute("aria-describedby", this.options.hintId);
    code.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
      this.#pointed = { x, y };
    });
    code.addEventListener("focusin", () => {
      this.#edit().catch(() => {}); // told by onTrouble
    });
  }

  #edit(): Promise<Editor> {
    this.#editor ??= this.#loadEditor();
    return this.#editor;
  }

  async #loadEditor(): Promise<Editor> {
    const { Editor } = await import("./editor").catch((error) => {
      this.#editor = null;
      this.options.onTrouble("The editor could not be loaded. Click into the code to try again.");
      throw error;
    });
    const editor = new Editor({
      ...this.options,
      code: this.code,
      onChange: (code) => this.#changed(code),
    });
    editor.mark(this.#marked);
    // The reader may have moved on while it was loading.
    const focused = this.element.contains(document.activeElement);
    this.element.replaceChildren(editor.element);
    if (focused && this.#pointed) editor.placeCaret(this.#pointed);
    if (focused) editor.focus();
    return editor;
  }

  #changed(code: string): void {
    this.code = code;
    this.#marked = null;
    if (code !== this.#edits.code) this.#edits.type(code);
    this.options.onChange();
  }
}
