// <live-figure>: draws the values that the page carries, or those of the reader, which Python traced.

import { VIEWS } from "figure-views";
import { focusableWhileItScrolls } from "../cells/scrollable";
import { type Ran, type Session, sessionOf } from "../cells/session";
import { interpreter, type Outcome } from "../runtime/interpreter";
import { element } from "./elements";
import type { Figure, Inputs, Origin, Trace, View } from "./trace";

const ORIGINS: Record<Origin, string> = {
  page: "Numbers: this page.",
  cell: "Numbers: your cell",
  edited: "Numbers: edited here.",
};

/** How figures were left: a reader who comes back finds them so. */
const memory = new Map<string, Left>();

interface Left {
  trace: Trace;
  origin: Origin;
  cell: string;
  place: unknown;
  numbers: boolean;
  seen: number;
  offered: Inputs | null;
}

class LiveFigure extends HTMLElement implements Figure {
  traces: Record<string, Trace> = {};
  #view: View | null = null;
  #shown: Trace | null = null;
  #from: { origin: Origin; cell: string } = { origin: "page", cell: "" };
  #edits = 0; // counts what the reader did here: a later deed overtakes what is being computed
  #computing = 0;
  #offered: Inputs | null = null; // what a link has and only Python can trace
  #seen = 0; // of the page's runs, those whose variables it has viewed
  #session: Session | null = null;
  readonly #origin = element("span", { class: "origin" });
  #message!: HTMLElement; // there from the upgrade on
  readonly #back = element(
    "button",
    { type: "button", click: () => this.#backToPage() },
    "Back to this page’s numbers",
  );
  readonly #copy = element(
    "button",
    { type: "button", click: () => this.#copyText(this.#shown?.code ?? "", "Copied as Python.") },
    "Copy as code",
  );
  readonly #copyLink = element(
    "button",
    {
      type: "button",
      click: () => this.#copyText(this.#link(), "Copied: the link opens what you see."),
    },
    "Copy link",
  );

  readonly #numbers = element(
    "button",
    { type: "button", "aria-pressed": "false", click: () => this.#toggleNumbers() },
    "Numbers",
  );

  connectedCallback(): void {
    this.#session = sessionOf(location.pathname);
    if (!this.#message) void this.#upgrade();
    this.#session.addEventListener("ran", this.#onRan);
    addEventListener("hashchange", this.#openLink);
  }

  disconnectedCallback(): void {
    this.#session?.removeEventListener("ran", this.#onRan);
    removeEventListener("hashchange", this.#openLink);
    if (this.#shown && this.#view)
      memory.set(this.#key, {
        ...this.#from,
        trace: this.#shown,
        seen: this.#seen,
        offered: this.#offered,
        place: this.#view.place,
        numbers: this.#numbers.getAttribute("aria-pressed") === "true",
      });
  }

  async #upgrade(): Promise<void> {
    this.#message = this.querySelector(".figure-message") as HTMLElement;
    this.#message.setAttribute("role", "status");
    const view = await VIEWS[this.#name]?.().catch(() => null);
    if (!view) {
      this.say("The controls of this figure could not be loaded. Reload the page to try again.");
      return;
    }
    this.traces = JSON.parse(this.dataset.traces ?? "{}");
    this.#view = view.default(this, this.querySelector(".stage") as HTMLElement);
    const bar = this.querySelector(".figure-bar");
    if (this.hasAttribute("pictured")) bar?.append(this.#numbers);
    bar?.append(this.#origin, this.#back, this.#copy, this.#copyLink);
    const left = memory.get(this.#key);
    if (left) {
      this.#seen = left.seen;
      this.#view.place = left.place;
      if (left.numbers) this.#toggleNumbers();
      this.#show(left.trace, left.origin, left.cell);
      if (left.offered) this.#offer(left.offered);
    } else this.#show(this.#start, "page");
    for (const box of this.querySelectorAll<HTMLElement>(".takes, .makes"))
      focusableWhileItScrolls(box);
    this.#catchUp();
    this.#openLink();
  }

  get #key(): string {
    return `${this.#session?.page} ${this.#name}`;
  }

  get #name(): string {
    return this.getAttribute("name") ?? "";
  }

  get #start(): Trace {
    return this.traces[this.getAttribute("start") ?? ""] as Trace;
  }

  change(inputs: Inputs): void {
    const known = this.#embedded(inputs);
    this.#edits += 1;
    if (known) this.#show(known, "page");
    else void this.#ask(interpreter.trace(this.#name, JSON.stringify(inputs)), "edited");
    if (!known && interpreter.phase !== "ready") this.say("Loading Python to compute this …");
  }

  #embedded(inputs: Inputs): Trace | undefined {
    const wanted = JSON.stringify(inputs);
    return Object.values(this.traces).find(({ inputs }) => JSON.stringify(inputs) === wanted);
  }

  show(step: string): void {
    this.setAttribute("step", step);
  }

  say(sentence: string): void {
    this.#message.textContent = sentence;
  }

  readonly #onRan = (event: Event): void => void this.#follow((event as CustomEvent<Ran>).detail);

  /** Views what cells have defined while the figure, or its reader, was not here. */
  #catchUp(): void {
    for (const ran of this.#session?.ranSince(this.#seen) ?? []) void this.#follow(ran);
  }

  async #follow({ code, name }: Ran): Promise<void> {
    const names = this.getAttribute("binds");
    if (!names || !this.#shown) return;
    const { ranWell, page } = this.#session as Session;
    const inputs = JSON.stringify(this.#shown.inputs);
    await this.#ask(interpreter.follow(page, this.#name, inputs, { names, code }), "cell", name);
    if (this.isConnected) this.#seen = ranWell;
  }

  async #ask(answer: Promise<Outcome>, origin: Origin, cell = ""): Promise<void> {
    const edits = this.#edits;
    this.#count(1);
    const outcome = await answer;
    this.#count(-1);
    if (edits !== this.#edits) return;
    if (outcome.kind === "lost") this.#refuse(outcome.reason);
    if (outcome.kind !== "traced") return;
    const { trace, problem } = JSON.parse(outcome.answer) as { trace?: Trace; problem?: string };
    if (problem) this.#refuse(problem);
    else if (trace) this.#show(trace, this.#isPages(trace) ? "page" : origin, cell);
  }

  /** Says why nothing changes, with controls that say what is drawn again. */
  #refuse(reason: string): void {
    if (this.#shown) this.#view?.draw(this.#shown);
    this.say(reason);
  }

  #count(change: number): void {
    this.#computing += change;
    this.setAttribute("state", this.#computing ? "computing" : "ready");
  }

  #isPages(trace: Trace): boolean {
    return JSON.stringify(trace.inputs) === JSON.stringify(this.#start.inputs);
  }

  #show(trace: Trace, origin: Origin, cell = ""): void {
    this.#shown = trace;
    this.#from = { origin, cell };
    this.#offered = null;
    this.#origin.textContent = origin === "cell" ? `${ORIGINS.cell} “${cell}”.` : ORIGINS[origin];
    this.#copy.hidden = !trace.code;
    this.#back.hidden = origin === "page";
    this.say(trace.verdict ?? "");
    this.#count(0);
    this.setAttribute("origin", origin);
    this.#view?.draw(trace);
  }

  // Links

  /** A link whose fragment holds the numbers and the place; nothing of it is sent to the server. */
  #link(): string {
    const inputs = this.#shown?.inputs;
    const fragment = encodeURIComponent(JSON.stringify({ inputs, place: this.#view?.place }));
    return `${location.href.split("#")[0]}#figure-${this.#name}=${fragment}`;
  }

  readonly #openLink = (): void => {
    const prefix = `#figure-${this.#name}=`;
    if (!location.hash.startsWith(prefix) || !this.#view) return;
    try {
      const { inputs, place } = JSON.parse(decodeURIComponent(location.hash.slice(prefix.length)));
      if (!inputs || inputs.constructor !== Object) throw new TypeError("no inputs");
      this.#edits += 1;
      this.#view.place = place;
      const known = this.#embedded(inputs);
      this.#show(known ?? this.#start, "page");
      if (!known) this.#offer(inputs);
      this.scrollIntoView();
    } catch {
      this.say("The link to this figure is damaged; nothing of it is shown.");
    }
  };

  /** Numbers that only Python can trace are computed when the reader asks for them. */
  #offer(inputs: Inputs): void {
    this.#offered = inputs;
    this.say("This link has numbers of its own. ");
    const compute = () => {
      this.#copyLink.focus();
      this.change(inputs);
    };
    this.#message.append(element("button", { type: "button", click: compute }, "Compute them"));
  }

  /** The tables behind a picture. */
  #toggleNumbers(): void {
    const shown = this.querySelector(".stage")?.classList.toggle("with-numbers");
    this.#numbers.setAttribute("aria-pressed", String(shown));
  }

  #backToPage(): void {
    this.#edits += 1;
    this.#show(this.#start, "page");
    this.#copyLink.focus(); // the button that was pressed is gone
  }

  async #copyText(text: string, done: string): Promise<void> {
    const { copied } = await import("../cells/clipboard");
    this.say((await copied(text)) ? done : "The browser does not allow copying here.");
  }
}

customElements.define("live-figure", LiveFigure);
