// Output on its way to the page: at once while it is little, in batches when it floods, up to a cap.

import { type Display, type FromWorker, KEPT, type Piece, SHOWN, type Stream } from "./protocol";

const AT_ONCE = 100; // messages a second
const PAUSE = 50; // milliseconds between batches
const BATCH = 10_000; // characters, to which each piece adds some: short lines cost as well
const EACH = 20;
const DISPLAYS = 50; // pictures and tables of one run

export class Outbox {
  #pieces: Piece[] = [];
  #rest = ""; // beyond what is shown
  #waiting = 0; // characters, more or less
  #sentAt = 0;
  #second = 0;
  #sentInSecond = 0;
  #characters = SHOWN.characters;
  #lines = SHOWN.lines;
  #kept = KEPT;
  #displays = DISPLAYS;

  constructor(
    readonly run: number,
    readonly say: (message: FromWorker) => void,
  ) {}

  write(stream: Stream, text: string): void {
    const shown = this.#takeShown(text);
    if (shown) this.#add(stream, shown);
    if (shown.length < text.length) this.#keep(text.slice(shown.length));
    if (this.#waiting > BATCH || this.#mayBeSentAtOnce()) this.send();
    else this.sendIfDue();
  }

  /** Hands on a picture or a table, after the text before it. */
  show(display: Display): void {
    this.#displays -= 1;
    this.send();
    if (this.#displays >= 0) this.say({ type: "display", run: this.run, ...display });
    else if (this.#displays === -1)
      this.write("stderr", `Only the first ${DISPLAYS} pictures and tables are shown.\n`);
  }

  /** Does some work while the page says what this run waits for. */
  readonly whileWaiting = <T>(what: string, bytes: number, work: () => T): T => {
    const { run } = this;
    this.send();
    this.say({ type: "loading", run, what, loaded: 0, total: bytes });
    const result = work();
    this.say({ type: "resumed", run });
    return result;
  };

  /** Sends what has waited long enough. */
  sendIfDue(): void {
    if (this.#waiting && performance.now() - this.#sentAt >= PAUSE) this.send();
  }

  send(): void {
    const { run } = this;
    if (this.#pieces.length) this.say({ type: "output", run, pieces: this.#pieces });
    if (this.#rest) this.say({ type: "overflow", run, text: this.#rest });
    this.#pieces = [];
    this.#rest = "";
    this.#waiting = 0;
    this.#sentAt = performance.now();
    this.#sentInSecond += 1;
  }

  /** The part of a text that there is still room for. */
  #takeShown(text: string): string {
    let end = Math.min(text.length, this.#characters);
    for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1))
      if (--this.#lines <= 0) end = at + 1;
    this.#characters = this.#lines > 0 ? this.#characters - end : 0;
    return text.slice(0, end);
  }

  #add(stream: Stream, text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.[0] === stream) last[1] += text;
    else this.#pieces.push([stream, text]);
    this.#waiting += text.length + EACH;
  }

  #keep(text: string): void {
    const kept = text.slice(0, this.#kept);
    this.#kept -= kept.length;
    this.#rest += kept;
    this.#waiting += kept.length;
  }

  #mayBeSentAtOnce(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sentInSecond = 0;
    }
    return this.#waiting > 0 && this.#rest === "" && this.#sentInSecond < AT_ONCE;
  }
}
