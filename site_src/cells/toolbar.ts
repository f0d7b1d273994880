// The row below a cell's code: four buttons, and a line that says how things stand.

export interface Actions {
  run(): void;
  stop(): void;
  reset(): void;
  copy(): void;
}

type Name = keyof Actions;

const TITLES: Record<Name, string> = { run: "Run", stop: "Stop", reset: "Reset", copy: "Copy" };

export class Toolbar {
  readonly element = document.createElement("div");
  readonly #buttons: Record<Name, HTMLButtonElement>;
  readonly #status = document.createElement("span");
  readonly #bytes = document.createElement("span"); // beside the status: it changes too often to be read out

  /** title: what tells this cell's buttons from those of the others, such as "cell 2, softmax". */
  constructor(title: string, actions: Actions) {
    this.element.className = "toolbar";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", `Controls of ${title}`);
    this.#status.className = "status";
    this.#status.setAttribute("role", "status");
    const make = (name: Name) => button(name, `${TITLES[name]} ${title}`, actions[name]);
    this.#buttons = {
      run: make("run"),
      stop: make("stop"),
      reset: make("reset"),
      copy: make("copy"),
    };
    this.#bytes.className = "bytes";
    this.element.append(...Object.values(this.#buttons), this.#status, this.#bytes);
  }

  /** The inactive one of Run and Stop stays where it is, so that focus stays too. */
  busy(busy: boolean): void {
    this.enable("run", !busy);
    this.enable("stop", busy);
  }

  enable(name: Name, enabled: boolean): void {
    this.#buttons[name].setAttribute("aria-disabled", String(!enabled));
  }

  /** How much has been loaded so far; nothing to hide it. */
  count(text = ""): void {
    this.#bytes.textContent = text;
  }

  /** Whether a screen reader speaks what is said; where Run was not pressed, it does not. */
  aloud(aloud: boolean): void {
    this.#status.setAttribute("aria-live", aloud ? "polite" : "off");
  }

  say(text: string, action?: { label: string; act(): void }): void {
    const focused = this.#status.contains(document.activeElement);
    this.#status.replaceChildren(text);
    if (focused) this.#buttons.run.focus(); // the offered button goes; focus must not
    if (!action) return;
    const link = document.createElement("button");
    link.type = "button";
    link.className = "link";
    link.textContent = action.label;
    link.addEventListener("click", action.act);
    this.#status.append(" ", link);
  }
}

function button(name: Name, label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  element.textContent = TITLES[name];
  element.setAttribute("aria-label", label);
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act();
  });
  return element;
}
