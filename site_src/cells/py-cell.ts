// <py-cell>: the printed code and output of a page, upgraded in place to something that runs.

import { isConnectionSparse } from "../runtime/connection";
import { interpreter, type Outcome } from "../runtime/interpreter";
import type { Display, Loading, Stream } from "../runtime/protocol";
import { copied } from "./clipboard";
import { CodeBox } from "./code-box";
import { NOTHING } from "./edits";
import { onIntent } from "./intent";
import { megabytes } from "./megabytes";
import { Output } from "./output";
import { type Inlines, program } from "./program";
import { startOnReturn } from "./return-visit";
import { focusableWhileItScrolls } from "./scrollable";
import { type Ran, type Runnable, type Session, sessionOf } from "./session";
import { share } from "./sharing";
import { standing } from "./standing";
import { type Offer, Toolbar } from "./toolbar";

type State = "idle" | "loading" | "queued" | "running" | "done" | "error";

const SAYING: Partial<Record<State, string>> = {
  loading: "Loading Python …",
  queued: "Waiting for its turn …",
  running: "Running …",
};
const AFRESH =
  "Python was restarted, so its variables are gone; Run brings back what a cell needs.";
const LOST = "Ran before Python was restarted; its variables are gone. Run brings them back.";

export class PyCell extends HTMLElement implements Runnable {
  #session!: Session;
  #box!: CodeBox;
  #output!: Output;
  #toolbar!: Toolbar;
  #ran: Ran | null = null; // what the output is from; null: the page
  readonly #progress = document.createElement("progress");

  connectedCallback(): void {
    if (!this.#toolbar) this.#upgrade();
    this.#session.join(this);
    interpreter.addEventListener("progress", this.#showProgress);
    interpreter.addEventListener("phase", this.#showPhase);
  }

  disconnectedCallback(): void {
    this.#session.leave(this);
    interpreter.removeEventListener("progress", this.#showProgress);
    interpreter.removeEventListener("phase", this.#showPhase);
  }

  #upgrade(): void {
    this.#session = sessionOf(location.pathname);
    this.#output = new Output(this.querySelector("output") as HTMLOutputElement);
    this.#output.element.setAttribute("aria-label", `Output of ${this.#title}`);
    this.#output.element.setAttribute("aria-live", "off"); // the status tells; a flood would not end
    focusableWhileItScrolls(this.#output.element);
    this.#toolbar = new Toolbar(this.#title, {
      run: () => this.run(),
      stop: () => this.stop(),
      reset: () => this.reset(),
      copy: () => this.copy(),
      share: () => this.share(),
      compare: (shown) => this.#box.compare(shown),
    });
    this.#progress.setAttribute("aria-label", `Loading Python for ${this.#title}`);
    const hint = this.#hint();
    this.#box = this.#codeBox(hint.id);
    this.#box.element.after(hint, this.#toolbar.element, this.#progress);
    this.#enter("idle");
    this.#showEdits();
    this.#rest();
    onIntent(this, () => this.#prepare());
    startOnReturn(this);
  }

  #codeBox(hintId: string): CodeBox {
    return new CodeBox(this.querySelector(".code") as HTMLElement, {
      page: this.#session.page,
      name: this.name,
      label: `Code of ${this.#title}`,
      hintId,
      elsewhere: () => this.#elsewhere(),
      onChange: () => this.#codeChanged(),
      onTrouble: (trouble) => this.#toolbar.say(trouble),
      onRun: () => this.run(),
      onRunAndMoveOn: () => this.#runAndMoveOn(),
    });
  }

  /** Says what the keyboard can do; shown while the editor has the focus. */
  #hint(): HTMLElement {
    const hint = document.createElement("p");
    hint.id = `leave-${this.name}`;
    hint.className = "hint";
    hint.textContent = "Ctrl or ⌘ + Enter runs. Esc, then Tab leaves.";
    return hint;
  }

  get #title(): string {
    return `cell ${this.getAttribute("number")}, ${this.name}`;
  }

  /** Loads Python before Run is pressed, unless that would cost the reader more than time. */
  #prepare(): void {
    if (!isConnectionSparse()) interpreter.start();
    else if (interpreter.phase === "off" && !this.edited)
      this.#toolbar.say(`Run first loads Python, ${megabytes(PYTHON_BYTES)} MB.`);
  }

  // What a session and its other cells want to know

  get name(): string {
    return this.getAttribute("name") ?? "";
  }

  get buildsOn(): string[] {
    return this.getAttribute("after")?.split(" ") ?? [];
  }

  get code(): string {
    return this.#box.code;
  }

  get edited(): boolean {
    return this.#box.edited;
  }

  get shared(): boolean {
    return this.#box.shared;
  }

  get inlines(): Inlines {
    return JSON.parse(this.dataset.inlines ?? "{}");
  }

  // What a reader can do

  run(): void {
    if (!this.#busy) void this.#session.run(this);
  }

  stop(): void {
    if (this.getAttribute("state") === "running") this.#toolbar.say("Stopping …");
    this.#session.stop(this);
  }

  async reset(): Promise<void> {
    const before = this.#box.edits;
    const undo: Offer = { label: "Undo", act: () => this.#box.replace(before) };
    const { edited } = this;
    this.#session.forget(this);
    this.#output.restore();
    this.#ran = null;
    this.removeAttribute("matches");
    this.#box.mark(null);
    this.#enter("idle");
    if (edited) await this.#box.replace(NOTHING);
    if (this.#busy || this.#ran) return; // run again before the editor was there
    this.#tell("Back to the printed code and output.", ...(edited ? [undo] : []));
  }

  async copy(): Promise<void> {
    const text = program(this.#session.chain(this).filter((cell) => cell instanceof PyCell));
    if (!(await copied(text))) this.#tell("The browser does not allow copying here.");
    else if (/^\s*(from|import) snippets/m.test(text))
      this.#tell("Copied. Your edit imports snippets, so the program needs their files.");
    else this.#tell("Copied as a program that runs alone.");
  }

  /** An edited cell, or one that builds on one, takes all edits of the page along. */
  async share(): Promise<void> {
    const edited = this.#session.cells.filter((cell) => cell.edited);
    const concerned = this.#session.chain(this).some((cell) => cell.edited);
    this.#tell(await share(this, concerned ? edited : []));
  }

  /** Shows code that came with a link. It is not run, and the reader's own edit stays kept. */
  async receive(code: string): Promise<void> {
    const { own } = this.#box.edits;
    this.#toolbar.aloud(true);
    await this.#box.replace({ own, shared: code === own ? null : code });
  }

  #runAndMoveOn(): void {
    this.run();
    const cells = [...document.querySelectorAll("py-cell")];
    const next = cells[cells.indexOf(this) + 1];
    if (next instanceof PyCell) next.#box.focus();
  }

  #codeChanged(): void {
    this.removeAttribute("matches");
    this.#showEdits();
    this.#toolbar.aloud(true);
    this.#rest();
    this.#session.changed(this);
  }

  foundationChanged(): void {
    this.removeAttribute("matches");
    this.#toolbar.aloud(false);
    this.#rest();
  }

  #showEdits(): void {
    this.toggleAttribute("edited", this.edited);
    this.#toolbar.changed(this.shared ? "Shared edit" : this.edited ? "Changed" : null);
  }

  /** Says how the cell stands, unless it is on its way to saying how its run went. */
  #rest(): void {
    if (this.#busy) return;
    const said = standing(this, this.#session.chain(this), this.#ran);
    const kept = this.#box.safe ? "" : " This browser keeps it only until you leave.";
    this.#toolbar.say(said + (this.edited ? kept : ""), ...this.#waysBack());
  }

  /** From code that came with a link. */
  #waysBack(): Offer[] {
    if (!this.shared) return [];
    const { own } = this.#box.edits;
    if (own === null) return [{ label: "Discard", act: () => this.reset() }];
    return [{ label: "Your own edit", act: () => this.#box.replace({ own, shared: null }) }];
  }

  #elsewhere(): string {
    const others = this.#session.cells.filter((cell) => cell !== this);
    return others.map(({ code }) => code).join("\n");
  }

  #tell(text: string, ...offers: Offer[]): void {
    this.#toolbar.aloud(true);
    this.#toolbar.say(text, ...offers);
  }

  // What a run reports

  queued(aloud: boolean): void {
    this.removeAttribute("matches");
    this.#toolbar.aloud(aloud);
    this.#enter(interpreter.phase === "ready" ? "queued" : "loading");
  }

  loading({ what, loaded, total }: Loading): void {
    if (this.getAttribute("state") !== "loading") this.#enter("loading");
    this.#toolbar.say(`Loading ${what}, ${megabytes(total)} MB …`);
    this.#showBytes(loaded, total);
  }

  resumed(): void {
    this.#enter("running");
  }

  started(): void {
    this.#box.mark(null);
    this.#output.begin();
    this.#enter("running");
  }

  output(stream: Stream, text: string): void {
    this.#output.write(stream, text);
  }

  overflow(text: string): void {
    this.#output.overflow(text, this.name);
  }

  display(display: Display): void {
    this.#output.show(display);
  }

  ended(outcome: Outcome, ran: Ran): void {
    if (outcome.kind === "traced") return;
    if (outcome.kind !== "finished") {
      this.#output.end();
      this.#enter("idle");
      const retry = { label: "Retry", act: () => this.run() };
      const helps = outcome.kind === "unloaded" || interpreter.phase === "unavailable";
      this.#toolbar.say(outcome.reason, ...(helps ? [retry] : []));
      return;
    }
    this.#ran = ran;
    const { error, milliseconds } = outcome;
    if (error) this.#output.fail(error);
    if (error && ran.code === this.code) this.#box.mark(error.line);
    this.#output.end();
    this.#enter(error ? "error" : "done");
    const what = error ? `Error${error.line ? ` in line ${error.line}` : ""}` : "Done";
    const time = `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
    const said = `${what} (${time}). ${this.#compared(ran)}`;
    const differs = this.getAttribute("matches") === "no" && !error;
    this.#toolbar.say(
      said,
      ...(differs ? [{ label: "Run afresh", act: () => this.#afresh() }] : []),
    );
  }

  held(by: string, how: string): void {
    this.#enter("idle");
    const foundation = this.#session.chain(this).some(({ name }) => name === by);
    const what = `“${by}”${foundation ? ", which it builds on," : ""}`;
    this.#toolbar.say(`Not run, because ${what} ${how}.`);
  }

  lost(): void {
    this.#toolbar.aloud(false);
    this.#enter("idle");
    this.toggleAttribute("lost", true);
    this.#toolbar.say(LOST);
  }

  /** In a new interpreter, where no other cell can have changed a variable. */
  #afresh(): void {
    interpreter.restart(AFRESH);
    this.run();
  }

  /** Holds an unedited run against the printed output; an edited one has nothing to be held against. */
  #compared(ran: Ran): string {
    if (ran.code !== this.code) return "You have edited it since.";
    const since = standing(this, this.#session.chain(this), ran);
    if (since) return since;
    if (ran.edits.length) return this.#output.empty ? "It printed nothing." : "";
    const same = this.#output.text === this.#output.printedText;
    this.setAttribute("matches", same ? "yes" : "no");
    if (same) return "The same as printed.";
    return "Not the same as printed: another cell may have changed its variables.";
  }

  // How things stand

  get #busy(): boolean {
    return ["loading", "queued", "running"].includes(this.getAttribute("state") ?? "");
  }

  #enter(state: State): void {
    this.setAttribute("state", state);
    this.toggleAttribute("lost", false);
    this.#toolbar.busy(this.#busy);
    this.#toolbar.enable("reset", !this.#busy);
    this.#progress.hidden = state !== "loading";
    this.#toolbar.count();
    this.#toolbar.say(SAYING[state] ?? "");
    if (state === "loading") this.#showProgress();
  }

  #showProgress = (): void => {
    const { loaded, total } = interpreter;
    if (this.getAttribute("state") === "loading" && total) this.#showBytes(loaded, total);
  };

  #showBytes(loaded: number, total: number): void {
    this.#progress.max = total;
    this.#progress.value = loaded;
    this.#toolbar.count(`${megabytes(loaded)} of ${megabytes(total)} MB`);
  }

  #showPhase = (): void => {
    const loading = this.getAttribute("state") === "loading";
    if (interpreter.phase === "ready" && loading) this.#enter("queued");
  };
}

customElements.define("py-cell", PyCell);
