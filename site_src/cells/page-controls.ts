// <page-controls>: all cells of a page at once, and in words how Python stands.

import { interpreter } from "../runtime/interpreter";
import { button, enable } from "./button";
import { megabytes } from "./megabytes";
import { busyElsewhere, type Session, sessionOf, stopAll, turns } from "./session";

const RESTARTED = "Python was restarted: its variables are gone, your edits are kept.";

class PageControls extends HTMLElement {
  #session!: Session;
  #busy = false;
  readonly #runAll = button("run-all", "Run all", "Run all cells", () => this.runAll());
  readonly #stopAll = button("stop-all", "Stop all", "Stop all cells", stopAll);
  readonly #restart = button("restart", "Restart", "Restart Python", () => this.restart());
  readonly #python = document.createElement("span"); // changes too often to be read out
  readonly #note = document.createElement("span");
  readonly #cells = new MutationObserver(() => this.#show());

  connectedCallback(): void {
    if (!this.#session) this.#upgrade();
    this.#cells.observe(document.body, { subtree: true, attributeFilter: ["state"] });
    interpreter.addEventListener("progress", this.#show);
    interpreter.addEventListener("phase", this.#show);
    this.#session.addEventListener("ran-all", this.#tellEnd);
    turns.addEventListener("settled", this.#show);
    this.#show();
  }

  disconnectedCallback(): void {
    this.#cells.disconnect();
    interpreter.removeEventListener("progress", this.#show);
    interpreter.removeEventListener("phase", this.#show);
    this.#session.removeEventListener("ran-all", this.#tellEnd);
    turns.removeEventListener("settled", this.#show);
  }

  #upgrade(): void {
    this.#session = sessionOf(location.pathname);
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "All cells of this page");
    this.#note.setAttribute("role", "status");
    const words = document.createElement("span");
    words.className = "words";
    words.append(this.#python, " ", this.#note);
    this.append(this.#runAll, this.#stopAll, this.#restart, words);
  }

  runAll(): void {
    void this.#session.runAll();
  }

  restart(): void {
    if (interpreter.phase === "unavailable") interpreter.start();
    else {
      interpreter.restart(RESTARTED);
      this.#note.textContent = RESTARTED;
    }
  }

  #show = (): void => {
    const busy = this.#session.busy;
    if (busy && !this.#busy) this.#note.textContent = "";
    this.#busy = busy;
    enable(this.#runAll, !busy);
    enable(this.#stopAll, busy || busyElsewhere(this.#session.page));
    enable(this.#restart, interpreter.phase !== "off");
    const words = this.#words();
    if (this.#python.textContent !== words) this.#python.textContent = words;
  };

  #words(): string {
    const { phase, loaded, total, reason } = interpreter;
    if (phase === "off") return `Python: not started, ${megabytes(PYTHON_BYTES)} MB to load.`;
    if (phase === "loading")
      return `Python: loading ${megabytes(loaded)} of ${megabytes(total || PYTHON_BYTES)} MB …`;
    if (phase === "unavailable") return `Python: unavailable. ${reason}`;
    const [importing] = this.#named("loading");
    if (importing) return `Python: loading what “${importing}” imports …`;
    const [next, ...waiting] = [...this.#named("running"), ...this.#named("queued")];
    if (next)
      return `Python: running “${next}”${waiting.length ? `, ${waiting.length} to go` : ""} …`;
    if (busyElsewhere(this.#session.page)) return "Python: running a cell of another page …";
    return "Python: ready.";
  }

  /** How running all cells went; each cell shows its own part, but does not speak of it. */
  #tellEnd = (): void => {
    const [failed] = this.#named("error");
    const all = document.querySelectorAll("py-cell").length;
    if (failed) {
      this.#note.textContent = `“${failed}” ended with an error; the cells below it were not run. `;
      this.#note.append(button("show", "Show it", "Show it", () => show(failed)));
    } else if (this.#named("done").length < all) this.#note.textContent = "Not all cells were run.";
    else this.#note.textContent = all === 1 ? "The cell ran." : `All ${all} cells ran.`;
  };

  /** The cells in a state, in the order of the page. */
  #named(state: string): string[] {
    const cells = document.querySelectorAll(`py-cell[state="${state}"]`);
    return [...cells].map((cell) => cell.getAttribute("name") ?? "");
  }
}

/** Brings a cell into sight, with the focus on what a reader does next. */
function show(name: string): void {
  const cell = document.querySelector(`py-cell[name="${name}"]`);
  cell?.scrollIntoView({ block: "center" });
  cell?.querySelector<HTMLElement>(".run")?.focus({ preventScroll: true });
}

customElements.define("page-controls", PageControls);
