// The runs of one page: a cell's run brings what the cell builds on up to date first.

import { interpreter, type Outcome, type Run, WITHDRAWN } from "../runtime/interpreter";
import type { Display, Loading, Piece, Stream } from "../runtime/protocol";
import { chain, type Step, signature } from "./order";

/** A cell as its session sees it. */
export interface Runnable extends Step {
  readonly edited: boolean;
  /** Whether that edit came with a link. */
  readonly shared: boolean;
  /** aloud: the reader pressed Run here, rather than for the whole page or a cell that builds on this. */
  queued(aloud: boolean): void;
  started(): void;
  output(stream: Stream, text: string): void;
  /** Output beyond what is shown. */
  overflow(text: string): void;
  display(display: Display): void;
  /** It waits for packages that its code imports, or for files in the middle of a run. */
  loading(loading: Loading): void;
  /** It runs on, with what it waited for. */
  resumed(): void;
  ended(outcome: Outcome, ran: Ran): void;
  /** It did not come to its turn: an earlier cell “ended with an error” or “was stopped”. */
  held(by: string, how: string): void;
  /** What it left behind went with an interpreter that was ended. */
  lost(): void;
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
  plan: Plan;
  started: boolean;
  pieces: (Piece | Display)[];
  overflow: string[];
  outcome?: Outcome;
}

/** One press of Run: cells in the order of their turns, carried out in one go. */
interface Plan {
  steps: Ran[];
  done: number; // of the steps
  clearances: number; // of the interpreter, when this was planned
  stopped: boolean; // before its turn
  running: Run | null;
}

/** Plans take turns, those of all pages together: there is one interpreter. */
let lastTurn: Promise<void> = Promise.resolve();

/** Event: `settled`, on whichever page, when all that was asked for at once has ended, well or not. */
export const turns = new EventTarget();

/** Events: `ran`, with what ran, after each run that ended well; `ran-all`, well or not. */
export class Session extends EventTarget {
  readonly #cells = new Map<string, Runnable>();
  readonly #stories = new Map<string, Story>();
  /** What each cell last ran well as, in which interpreter, and which of all such runs it was. */
  readonly #marks = new Map<string, { ran: Ran; generation: number; number: number }>();
  readonly #plans = new Set<Plan>(); // that are not carried out yet

  /** How many runs have ended well. */
  ranWell = 0;

  constructor(readonly page: string) {
    super();
    interpreter.addEventListener("restarted", () => {
      for (const cell of this.#cells.values()) this.#tellIfLost(cell);
    });
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
    for (const text of story.overflow) cell.overflow(text);
    if (story.outcome) cell.ended(story.outcome, story.ran);
    this.#tellIfLost(cell);
  }

  #tellIfLost(cell: Runnable): void {
    const mark = this.#marks.get(cell.name);
    const story = this.#stories.get(cell.name);
    if (!mark || !story?.outcome || story.ran.code !== cell.code) return;
    if (mark.generation !== interpreter.generation) cell.lost();
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

  /** Runs that ended well, later than so many others, and whose variables are still there. */
  ranSince(number: number): Ran[] {
    const there = [...this.#marks.values()].filter(
      (mark) => mark.number > number && mark.generation === interpreter.generation,
    );
    return there.sort((a, b) => a.number - b.number).map(({ ran }) => ran);
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

  async #turn(steps: Ran[]): Promise<void> {
    interpreter.start();
    const { clearances } = interpreter;
    const plan = { steps, done: 0, clearances, stopped: false, running: null };
    for (const ran of steps) if (this.#isDue(ran)) this.#queue(ran, plan);
    this.#plans.add(plan);
    const turn = lastTurn.then(() => this.#carryOut(plan));
    lastTurn = turn;
    await turn;
    this.#plans.delete(plan);
    turns.dispatchEvent(new Event("settled"));
  }

  /** Stops a cell, and with it every plan that still has to run it. */
  stop(cell: Runnable): void {
    for (const plan of this.#plans)
      if (plan.steps.slice(plan.done).some(({ name }) => name === cell.name)) this.#stop(plan);
  }

  /** Stops what runs and takes back all that waits. */
  stopAll(): void {
    for (const plan of this.#plans) this.#stop(plan);
  }

  #stop(plan: Plan): void {
    if (plan.running) interpreter.stop(plan.running);
    else {
      plan.stopped = true;
      this.#giveUp(plan.steps.slice(plan.done), plan, WITHDRAWN);
    }
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
    return asked || mark?.generation !== interpreter.generation || mark.ran.signature !== signature;
  }

  #queue(ran: Ran, plan: Plan): void {
    const running = this.#stories.get(ran.name);
    if (running && !running.outcome) return; // its own turn is on; this one may not be needed
    this.#begin(ran, plan);
    this.find(ran.name)?.queued(ran.aloud);
  }

  #begin(ran: Ran, plan: Plan): Story {
    const story: Story = { ran, plan, started: false, pieces: [], overflow: [] };
    this.#stories.set(ran.name, story);
    return story;
  }

  async #carryOut(plan: Plan): Promise<void> {
    if (plan.stopped) return;
    const { generation } = interpreter;
    for (const ran of plan.steps) {
      if (this.#isDue(ran)) {
        const outcome = await this.#runOne(ran, plan, generation);
        if (!wentWell(outcome)) {
          this.#giveUp(plan.steps.slice(plan.done + 1), plan, outcome, ran.name);
          return;
        }
      }
      plan.done += 1;
    }
  }

  async #runOne(ran: Ran, plan: Plan, generation: number): Promise<Outcome> {
    const story = this.#begin(ran, plan);
    this.#marks.delete(ran.name);
    // What waited while everything was given up shares that fate, and so does half a chain.
    const present =
      plan.clearances === interpreter.clearances && generation === interpreter.generation;
    plan.running = this.#toRun(story);
    const outcome: Outcome = present
      ? await interpreter.run(plan.running)
      : { kind: "lost", reason: interpreter.reason };
    plan.running = null;
    if (wentWell(outcome)) this.#mark(ran);
    this.#end(story, outcome);
    if (wentWell(outcome)) this.#announce(ran);
    return outcome;
  }

  #mark(ran: Ran): void {
    const { generation } = interpreter;
    this.#marks.set(ran.name, { ran, generation, number: ++this.ranWell });
  }

  #toRun(story: Story): Run {
    const { name, code } = story.ran;
    return {
      page: this.page,
      name,
      code,
      started: () => {
        story.started = true;
        this.find(name)?.started();
      },
      output: (stream, text) => {
        story.pieces.push([stream, text]);
        this.find(name)?.output(stream, text);
      },
      overflow: (text) => {
        story.overflow.push(text);
        this.find(name)?.overflow(text);
      },
      display: (display) => {
        story.pieces.push(display);
        this.find(name)?.display(display);
      },
      loading: (loading) => this.find(name)?.loading(loading),
      resumed: () => this.find(name)?.resumed(),
    };
  }

  /** Tells figures that a cell has run; they may view its variables. */
  #announce(ran: Ran): void {
    this.dispatchEvent(new CustomEvent<Ran>("ran", { detail: ran }));
  }

  #end(story: Story, outcome: Outcome): void {
    story.outcome = outcome;
    this.find(story.ran.name)?.ended(outcome, story.ran);
  }

  /** Ends what waits for its turn in a plan. by: the cell that failed or was stopped. */
  #giveUp(waiting: Ran[], plan: Plan, outcome: Outcome, by = ""): void {
    for (const { name } of waiting) {
      const story = this.#stories.get(name);
      if (story?.plan !== plan || story.outcome) continue;
      if (outcome.kind !== "finished" && outcome.kind !== "interrupted") this.#end(story, outcome);
      else {
        this.#stories.delete(name);
        this.find(name)?.held(
          by,
          outcome.kind === "finished" ? "ended with an error" : "was stopped",
        );
      }
    }
  }
}

function wentWell(outcome: Outcome): boolean {
  return outcome.kind === "finished" && !outcome.error;
}

const sessions = new Map<string, Session>();

/** Whether cells of another page run, to which the reader may come back. */
export function busyElsewhere(page: string): boolean {
  return [...sessions.values()].some((session) => session.page !== page && session.busy);
}

/** Stops what runs and empties the queue, on all pages. */
export function stopAll(): void {
  for (const session of sessions.values()) session.stopAll();
}

/** The session of a page, which outlives the page's elements: variables stay while readers browse. */
export function sessionOf(page: string): Session {
  const session = sessions.get(page) ?? new Session(page);
  sessions.set(page, session);
  return session;
}
