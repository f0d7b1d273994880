// The runs of one page: a cell's run brings what the cell builds on up to date first.

import { interpreter, type Outcome } from "../runtime/interpreter";
import type { Display, Loading, Stream } from "../runtime/protocol";
import { chain, type Step, signature } from "./order";

const STOPPED =
  "Stopped. Python was restarted, so its variables are gone; Run brings back what a cell needs.";
const STOPPED_LOADING = "Stopped before Python was there. It goes on loading for the next Run.";

/** A cell as its session sees it. */
export interface Runnable extends Step {
  readonly edited: boolean;
  /** Whether that edit came with a link. */
  readonly shared: boolean;
  /** aloud: the reader pressed Run here, rather than for the whole page or a cell that builds on this. */
  queued(aloud: boolean): void;
  started(): void;
  output(stream: Stream, text: string): void;
  display(display: Display): void;
  /** It waits for packages that its code imports. */
  loading(loading: Loading): void;
  ended(outcome: Outcome, ran: Ran): void;
  /** It did not come to its turn: an earlier cell ended with an error. */
  held(by: string): void;
  /** The code of a cell that it builds on is another now. */
  foundationChanged(): void;
}

/** A cell as it was when the reader pressed Run; later typing does not change what runs. */
export interface Ran {
  readonly name: string;
  readonly code: string;
  readonly signature: string;
  /** The cells that were edited, among this one and all it builds on. */
  readonly edits: readonly string[];
  readonly asked: boolean;
  /** Whether the cell itself tells a screen reader how it went. */
  readonly aloud: boolean;
}

/** What a cell's latest run has done so far: enough to show it again when a reader comes back. */
interface Story {
  ran: Ran;
  started: boolean;
  pieces: ([Stream, string] | Display)[];
  outcome?: Outcome;
}

/** Event: `settled`, on whichever page, when all that was asked for at once has ended, well or not. */
export const turns = new EventTarget();

/** Events: `ran`, with what ran, after each run that ended well; `ran-all`, well or not. */
export class Session extends EventTarget {
  readonly #cells = new Map<string, Runnable>();
  readonly #stories = new Map<string, Story>();
  /** What each cell last ran as, in which interpreter. */
  readonly #marks = new Map<string, { signature: string; generation: number }>();
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(readonly page: string) {
    super();
  }

  /** Adds a cell, or the new element of one that the reader has come back to. */
  join(cell: Runnable): void {
    this.#cells.set(cell.name, cell);
    const story = this.#stories.get(cell.name);
    if (!story || (story.outcome && story.ran.code !== cell.code)) return;
    cell.queued(story.ran.aloud);
    if (story.started) cell.started();
    for (const piece of story.pieces)
      if (Array.isArray(piece)) cell.output(...piece);
      else cell.display(piece);
    if (story.outcome) cell.ended(story.outcome, story.ran);
  }

  leave(cell: Runnable): void {
    if (this.#cells.get(cell.name) === cell) this.#cells.delete(cell.name);
  }

  readonly find = (name: string): Runnable | undefined => this.#cells.get(name);

  /** The cell with everything it builds on, in the order of their turns. */
  chain(cell: Runnable): Runnable[] {
    return chain(cell, this.find);
  }

  /** All cells of the page, in its order. */
  get cells(): Runnable[] {
    return [...this.#cells.values()];
  }

  /** Tells the cells that build on this one of its new code. */
  changed(cell: Runnable): void {
    for (const other of this.cells)
      if (other !== cell && this.chain(other).includes(cell)) other.foundationChanged();
  }

  /** Forgets a run's output, so that it does not come back. */
  forget(cell: Runnable): void {
    this.#stories.delete(cell.name);
  }

  /** Whether anything runs here or waits for its turn. */
  get busy(): boolean {
    return [...this.#stories.values()].some((story) => !story.outcome);
  }

  /** Runs what the cell builds on where that is not up to date, then the cell. */
  run(cell: Runnable): Promise<void> {
    return this.#turn(this.chain(cell).map((one) => this.#snapshot(one, one === cell)));
  }

  /** Runs all cells in the order of the page, up to the first that fails. */
  async runAll(): Promise<void> {
    const plan = [...this.#cells.values()].map((one) => this.#snapshot(one, true));
    await this.#turn(plan.map((ran) => ({ ...ran, aloud: false })));
    this.dispatchEvent(new Event("ran-all"));
  }

  async #turn(plan: Ran[]): Promise<void> {
    interpreter.start();
    const { losses } = interpreter;
    for (const ran of plan) if (this.#isDue(ran)) this.#queue(ran);
    const turn = this.#lastTurn.then(() => this.#carryOut(plan, losses));
    this.#lastTurn = turn;
    await turn;
    turns.dispatchEvent(new Event("settled"));
  }

  #snapshot(cell: Runnable, asked: boolean): Ran {
    const cells = this.chain(cell);
    const edits = cells.filter((one) => one.edited).map(({ name }) => name);
    const { name, code } = cell;
    return { name, code, signature: signature(cells), edits, asked, aloud: asked };
  }

  /** Whether it has to run: asked for, or not there in this text on these foundations. */
  #isDue({ name, signature, asked }: Ran): boolean {
    const mark = this.#marks.get(name);
    return asked || mark?.generation !== interpreter.generation || mark.signature !== signature;
  }

  #queue(ran: Ran): void {
    const running = this.#stories.get(ran.name);
    if (running && !running.outcome) return; // its own turn is on; this one may not be needed
    this.#stories.set(ran.name, { ran, started: false, pieces: [] });
    this.find(ran.name)?.queued(ran.aloud);
  }

  async #carryOut(plan: Ran[], losses: number): Promise<void> {
    for (const [index, ran] of plan.entries()) {
      if (!this.#isDue(ran)) continue;
      const outcome = await this.#runOne(ran, losses);
      if (outcome.kind === "finished" && !outcome.error) continue;
      for (const rest of plan.slice(index + 1)) this.#giveUp(rest, outcome, ran);
      return;
    }
  }

  async #runOne(ran: Ran, losses: number): Promise<Outcome> {
    const story: Story = { ran, started: false, pieces: [] };
    this.#stories.set(ran.name, story);
    this.#marks.delete(ran.name);
    // What was stopped before its turn shares the fate of what was running then.
    const outcome: Outcome =
      losses === interpreter.losses
        ? await interpreter.run({
            page: this.page,
            name: ran.name,
            code: ran.code,
            started: () => {
              story.started = true;
              this.find(ran.name)?.started();
            },
            output: (stream, text) => {
              story.pieces.push([stream, text]);
              this.find(ran.name)?.output(stream, text);
            },
            display: (display) => {
              story.pieces.push(display);
              this.find(ran.name)?.display(display);
            },
            loading: (loading) => this.find(ran.name)?.loading(loading),
          })
        : { kind: "lost", reason: interpreter.reason };
    if (outcome.kind === "finished" && !outcome.error)
      this.#marks.set(ran.name, {
        signature: ran.signature,
        generation: interpreter.generation,
      });
    this.#end(story, outcome);
    if (outcome.kind === "finished" && !outcome.error) this.#announce(ran);
    return outcome;
  }

  /** Tells figures that a cell has run; they may view its variables. */
  #announce(ran: Ran): void {
    this.dispatchEvent(new CustomEvent<Ran>("ran", { detail: ran }));
  }

  #end(story: Story, outcome: Outcome): void {
    story.outcome = outcome;
    this.find(story.ran.name)?.ended(outcome, story.ran);
  }

  #giveUp(ran: Ran, outcome: Outcome, failed: Ran): void {
    const story = this.#stories.get(ran.name);
    if (!story || story.outcome) return;
    if (outcome.kind === "lost" || outcome.kind === "unloaded") this.#end(story, outcome);
    else {
      this.#stories.delete(ran.name);
      this.find(ran.name)?.held(failed.name);
    }
  }
}

const sessions = new Map<string, Session>();

/** Whether cells of another page run, to which the reader may come back. */
export function busyElsewhere(page: string): boolean {
  return [...sessions.values()].some((session) => session.page !== page && session.busy);
}

/** Stops what runs and empties the queue, on all pages. */
export function stopAll(): void {
  interpreter.restart(interpreter.phase === "loading" ? STOPPED_LOADING : STOPPED);
}

/** The session of a page, which outlives the page's elements: variables stay while readers browse. */
export function sessionOf(page: string): Session {
  const session = sessions.get(page) ?? new Session(page);
  sessions.set(page, session);
  return session;
}
