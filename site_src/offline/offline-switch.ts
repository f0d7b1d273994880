// <offline-switch>: whether the whole site is to be on this device, and how far that is.

import { megabytes } from "../cells/megabytes";
import { ours } from "./one-build";
import { kept } from "./registration";
import { type Standing, WholeSite } from "./whole-site";

const NAME = "Available offline";

/** One for all pages; null where nothing can be kept. */
const whole: Promise<WholeSite | null> = kept.then(async (kept) => {
  const build = await kept?.build(ours);
  if (!kept || !build) return null;
  const site = new WholeSite(kept, build, ours);
  void site.look();
  return site;
});

class OfflineSwitch extends HTMLElement {
  #site: WholeSite | null = null;
  readonly #switch = document.createElement("button");
  readonly #bytes = document.createElement("span"); // change too often to be read out
  readonly #note = document.createElement("span");

  async connectedCallback(): Promise<void> {
    this.#site = await whole;
    if (!this.#site || !this.isConnected) return; // no switch where it could do nothing
    if (!this.childElementCount) this.#fill();
    this.#site.addEventListener("changed", this.#show);
    this.#show();
  }

  disconnectedCallback(): void {
    this.#site?.removeEventListener("changed", this.#show);
  }

  #fill(): void {
    this.#switch.type = "button";
    this.#switch.setAttribute("role", "switch");
    this.#switch.textContent = NAME;
    this.#switch.addEventListener("click", () => void this.#flip());
    this.#note.setAttribute("role", "status");
    this.append(this.#switch, this.#note, " ", this.#bytes);
  }

  #flip(): Promise<void> | undefined {
    return this.#site?.isOn ? this.#site.turnOff() : this.#site?.turnOn();
  }

  #show = (): void => {
    const { isOn, standing, loaded, total } = this.#site as WholeSite;
    this.#switch.setAttribute("aria-checked", String(isOn));
    const progress = `${megabytes(loaded)} of ${megabytes(total)} MB`;
    this.#bytes.textContent = standing === "fetching" ? `${progress} …` : "";
    const note = inWords(standing, progress, megabytes(total));
    if (this.#note.textContent !== note) this.#note.textContent = note;
  };
}

function inWords(standing: Standing, progress: string, total: string): string {
  return {
    off: `Pages that you open are kept on this device; this keeps all of them, ${total} MB.`,
    fetching: "Fetching the whole site:",
    complete: `The whole site is on this device: ${total} MB.`,
    "broken off": `The connection broke off at ${progress}. It goes on at your next visit.`,
    "no room": "This device has no room for the whole site.",
  }[standing];
}

customElements.define("offline-switch", OfflineSwitch);
