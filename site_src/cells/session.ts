// The runs of one page: a cell's run brings what the cell builds on up to date first.

import { interpreter, type Outcome } from "../runtime/interpreter";
import type { Stream } from "../runtime/protocol";
import { chain, type Step, signature } from "./order";

/** A cell as its session sees it. */
export interface Runnable extends Step {
  queued(): void;
  started(): void;
  output(stream: Stream, text: string): void;
  ended(outcome: Outcome): void;
  /** It did not come to its turn: an earlier cell ended with an error. */
  held(by: Runnable): void;
}

export class Session {
  readonly #cells = new Map<string, Runnable>();
  /** What each cell last ran as, in which interpreter. */
  readonly #ran = new Map<string, { signature: string; generation: number }>();

  constructor(readonly page: string) {}

  join(cell: Runnable): void {
    this.#cells.set(cell.name, cell);
  }

  leave(cell: Runnable): void {
    if (this.#cells.get(cell.name) === cell) this.#cells.delete(cell.name);
  }

  readonly find = (name: string): Runnable | undefined => this.#cells.get(name);

  /** The cell with everything it builds on, in the order of their turns. */
  chain(cell: Runnable): Runnable[] {
    return chain(cell, this.find);
  }

  /** Whether the cell's present text, on top of its present foundations, has run and left its mark. */
  isFresh(cell: Runnable): boolean {
    const ran = this.#ran.get(cell.name);
    return (
      ran?.generation === interpreter.generation && ran.signature === signature(cell, this.find)
    );
  }

  /** Runs what the cell builds on where that is not up to date, then the cell. */
  async run(cell: Runnable): Promise<void> {
    const needed = this.chain(cell).filter((one) => one === cell || !this.isFresh(one));
    for (const one of needed) one.queued();
    while (needed.length) {
      const one = needed.shift() as Runnable;
      const outcome = await this.#runOne(one);
      one.ended(outcome);
      if (outcome.kind === "lost") for (const rest of needed.splice(0)) rest.ended(outcome);
      else if (outcome.error) for (const rest of needed.splice(0)) rest.held(one);
    }
  }

  async #runOne(cell: Runnable): Promise<Outcome> {
    const mark = signature(cell, this.find);
    this.#ran.delete(cell.name);
    const outcome = await interpreter.run({
      page: this.page,
      name: cell.name,
      code: cell.code,
      started: () => cell.started(),
      output: (stream, text) => cell.output(stream, text),
    });
    if (outcome.kind === "finished" && !outcome.error)
      this.#ran.set(cell.name, { signature: mark, generation: interpreter.generation });
    return outcome;
  }
}

const sessions = new Map<string, Session>();

/** The session of a page, which outlives the page's elements: variables stay while readers browse. */
export function sessionOf(page: string): Session {
  const session = sessions.get(page) ?? new Session(page);
  sessions.set(page, session);
  return session;
}
