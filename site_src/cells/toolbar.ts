// The row below a cell's code: its buttons, and a line that says how things stand.

import { button, enable } from "./button";
import { keysBehind } from "./keys";

export interface Actions {
  run(): void;
  stop(): void;
  reset(): void;
  copy(): void;
  share(): void;
  /** Shows what was changed, or no longer. */
  compare(shown: boolean): Promise<void>;
}

/** What a message offers to do. */
export interface Offer {
  label: string;
  act(): void;
}

type Name = "run" | "stop" | "reset" | "copy" | "share" | "keys";

const TITLES: Record<Name, string> = {
  run: "Run",
  stop: "Stop",
  reset: "Reset",
  copy: "Copy",
  share: "Share",
  keys: "Keys",
};

export class Toolbar {
  readonly element = document.createElement("div");
  readonly #buttons: Record<Name, HTMLButtonElement>;
  readonly #status = document.createElement("span");
  readonly #changed: HTMLButtonElement;
  readonly #bytes = document.createElement("span"); // beside the status: it changes too often to be read out

  /** title: what tells this cell's buttons from those of the others, such as "cell 2, softmax". */
  constructor(
    readonly title: string,
    readonly actions: Actions,
  ) {
    this.element.className = "toolbar";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", `Controls of ${title}`);
    this.#status.className = "status";
    this.#status.setAttribute("role", "status");
    const make = (name: Name, act?: () => void) =>
      button(name, TITLES[name], `${TITLES[name]} ${title}`, act);
    this.#buttons = {
      run: make("run", actions.run),
      stop: make("stop", actions.stop),
      reset: make("reset", actions.reset),
      copy: make("copy", actions.copy),
      share: make("share", actions.share),
      keys: make("keys"),
    };
    this.#changed = button("changed", "Changed", `Changed ${title}`, () =>
      this.#compare(!this.#comparing),
    );
    this.#bytes.className = "bytes";
    this.element.append(
      ...Object.values(this.#buttons),
      this.#changed,
      this.#status,
      this.#bytes,
      keysBehind(this.#buttons.keys, `keys of ${title}`.replace(/\W+/g, "-")),
    );
    this.#changed.setAttribute("aria-pressed", "false");
    this.changed(null);
  }

  /** Says that the code is not the printed one, and offers to show the difference. */
  changed(how: "Changed" | "Shared edit" | null): void {
    this.#changed.classList.toggle("none", !how);
    if (how && how !== this.#changed.textContent) name(this.#changed, how, this.title);
    if (!how && this.#comparing) this.#compare(false);
  }

  get #comparing(): boolean {
    return this.#changed.getAttribute("aria-pressed") === "true";
  }

  #compare(shown: boolean): void {
    const press = (pressed: boolean) => this.#changed.setAttribute("aria-pressed", String(pressed));
    press(shown);
    this.actions.compare(shown).catch(() => press(false));
  }

  /** The inactive one of Run and Stop stays where it is, so that focus stays too. */
  busy(busy: boolean): void {
    this.enable("run", !busy);
    this.enable("stop", busy);
  }

  enable(name: Name, enabled: boolean): void {
    enable(this.#buttons[name], enabled);
  }

  /** How much has been loaded so far; nothing to hide it. */
  count(text = ""): void {
    this.#bytes.textContent = text;
  }

  /** Whether a screen reader speaks what is said; where Run was not pressed, it does not. */
  aloud(aloud: boolean): void {
    this.#status.setAttribute("aria-live", aloud ? "polite" : "off");
  }

  say(text: string, ...offers: Offer[]): void {
    if (!offers.length && text === this.#status.textContent) return; // no need to read it out again
    const focused = this.#status.contains(document.activeElement);
    this.#status.replaceChildren(text);
    if (focused) this.#buttons.run.focus(); // the offered button goes; focus must not
    for (const { label, act } of offers) {
      this.#status.append(" ", button("link", label, label, act));
    }
  }
}

/** The text to be seen, and with it the cell's title as the accessible name. */
function name(element: HTMLButtonElement, text: string, title: string): void {
  element.textContent = text;
  element.setAttribute("aria-label", `${text} ${title}`);
}
