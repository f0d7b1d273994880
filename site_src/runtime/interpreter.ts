// The page's side of Python: one interpreter for the whole visit, which every page shares.

import { Engine } from "./engine";
import type {
  Display,
  Follow,
  FromWorker,
  Loading,
  Parts,
  PythonError,
  Stream,
  ToWorker,
} from "./protocol";
import { isThereRoom } from "./room";

export type Phase = "off" | "loading" | "ready" | "unavailable";

export interface Run {
  page: string;
  name: string;
  code: string;
  started(): void;
  output(stream: Stream, text: string): void;
  overflow(text: string): void;
  display(display: Display): void;
  loading(loading: Loading): void;
  resumed(): void;
}

/** How a run ended, in a sentence where Python does not tell it. */
export type Outcome =
  | { kind: "finished"; milliseconds: number; error: PythonError | null }
  | { kind: "traced"; answer: string }
  | { kind: "interrupted"; reason: string } // by Stop; the variables are there
  | { kind: "withdrawn"; reason: string } // it had not begun
  | { kind: "unloaded"; reason: string } // nor this: a package that it imports did not come
  | { kind: "lost"; reason: string }; // the interpreter ended before the run did

/** Something to be done in the interpreter: one at a time, in the order of asking. */
interface Job {
  number: number;
  message: ToWorker;
  run: Run | undefined; // none behind a trace
  settle(outcome: Outcome): void;
  started: boolean;
  stopping: boolean;
}

const LONG = 500; // milliseconds after which a reader may well press Stop
const PATIENCE = 1000; // milliseconds from Stop to the end of Python itself

const KEPT = "Stopped. Its variables are as they were at that moment.";
const RESTARTED =
  "Stopped. Python was restarted, so its variables are gone; Run brings back what a cell needs.";
const DEAF =
  "Stopped. It did not answer, so Python was restarted and its variables are gone; Run brings back what a cell needs.";
const BROKEN =
  "Python broke down while this ran. It was restarted, so its variables are gone; your code is as it was.";
const STOPPED_WAITING = "Stopped while files were on their way. It was not run.";
const STOPPED_LOADING = "Stopped before Python was there. It goes on loading for the next Run.";

export const WITHDRAWN: Outcome = { kind: "withdrawn", reason: "Stopped before its turn came." };

/** Events: `progress` (loaded, total, in bytes), `phase`, and `restarted` (generation). */
export class Interpreter extends EventTarget {
  phase: Phase = "off";
  reason = ""; // why the last interpreter ended
  /** Counts the interpreters so far: what ran in an earlier one has left nothing behind. */
  generation = 0;
  /** Counts the times that everything asked for was given up. */
  clearances = 0;
  #engine: Engine | null = null;
  #standby: Engine | null = null;
  #parts: Parts | null = null; // for the next engine
  #jobs: Job[] = [];
  #current: Job | null = null;
  #lastNumber = 0;
  #timer: ReturnType<typeof setTimeout> | undefined; // of the current job

  get loaded(): number {
    return this.#engine?.loaded ?? 0;
  }

  get total(): number {
    return this.#engine?.total ?? 0;
  }

  /** Starts Python unless it is there or on its way. Fetches some 9 MB, so call it on intent only. */
  start(): void {
    if (this.phase === "off") this.#adopt(this.#newEngine());
    else if (this.phase === "unavailable") this.#adopt(this.#newEngine(true));
  }

  run(run: Run): Promise<Outcome> {
    const { page, name, code } = run;
    return this.#ask((number) => ({ type: "run", run: number, page, name, code }), run);
  }

  /** A figure's values for its inputs (JSON). */
  trace(figure: string, inputs: string): Promise<Outcome> {
    return this.#ask((number) => ({ type: "trace", run: number, figure, inputs }));
  }

  /** A figure's values for the variables of a page, if the code has defined any that it views. */
  follow(page: string, figure: string, inputs: string, follow: Follow): Promise<Outcome> {
    return this.#ask((number) => ({ type: "follow", run: number, page, figure, inputs, follow }));
  }

  /** Ends a run: before it begins by giving up what it waits for, later by a KeyboardInterrupt where
   * the host allows it, else with the whole worker. */
  stop(run: Run): void {
    const job = this.#current;
    if (job?.run !== run) this.#withdraw(run);
    else if (job.started && !this.#engine?.interruptible) this.#replace(RESTARTED);
    else if (!job.stopping) {
      job.stopping = true;
      if (job.started) this.#engine?.interrupt();
      else this.#engine?.send({ type: "abort" });
      this.#time(PATIENCE, () => this.#replace(DEAF));
    }
  }

  /** Ends the interpreter with all that was asked of it, and starts another. */
  restart(reason: string): void {
    this.#clear(reason);
    if (this.phase === "ready") this.#replace(reason); // else it is as good as new
  }

  #ask(message: (number: number) => ToWorker, run?: Run): Promise<Outcome> {
    this.start();
    const number = ++this.#lastNumber;
    const job = { number, message: message(number), run, started: false, stopping: false };
    return new Promise((settle) => {
      this.#jobs.push({ ...job, settle });
      this.#next();
    });
  }

  #next(): void {
    if (this.phase !== "ready" || this.#current) return;
    this.#current = this.#jobs.shift() ?? null;
    if (this.#current) this.#engine?.send(this.#current.message);
  }

  #withdraw(run: Run): void {
    const loading: Outcome = { kind: "withdrawn", reason: STOPPED_LOADING };
    const job = this.#jobs.find((one) => one.run === run);
    this.#jobs = this.#jobs.filter((one) => one !== job);
    job?.settle(this.phase === "loading" ? loading : WITHDRAWN);
  }

  // Interpreters that come and go

  #newEngine(afresh = false): Engine {
    return new Engine(afresh, this.#parts);
  }

  #adopt(engine: Engine): void {
    this.#engine = engine;
    engine.receive = (message) => this.#receive(message);
    this.generation += 1;
    this.#enter(engine.phase);
    this.dispatchEvent(new Event("restarted"));
    this.#next();
  }

  /** Ends the present interpreter with what it is doing; the next thing asked for goes to another. */
  #replace(reason: string): void {
    this.reason = reason;
    this.#engine?.end();
    const next = this.#standby ?? this.#newEngine();
    this.#standby = null;
    const job = this.#current;
    this.#current = null;
    clearTimeout(this.#timer);
    this.#adopt(next);
    job?.settle({ kind: "lost", reason });
  }

  /** Starts a second interpreter, to take the place of one that may have to be ended. */
  #standBy(): void {
    if (this.#standby || this.#engine?.interruptible || !isThereRoom()) return;
    const standby = this.#newEngine();
    this.#standby = standby;
    standby.receive = ({ type }) => {
      if (type !== "unavailable" && type !== "broken") return;
      standby.end();
      this.#standby = null;
    };
  }

  #fail(reason: string): void {
    this.#engine?.end();
    this.#engine = null;
    this.#clear(`Python could not start: ${reason}.`);
    this.#enter("unavailable");
  }

  #clear(reason: string): void {
    this.reason = reason;
    this.clearances += 1;
    for (const job of this.#jobs.splice(0)) job.settle({ kind: "lost", reason });
  }

  // What a worker says

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        this.dispatchEvent(new Event("progress"));
        break;
      case "ready":
        this.#parts ??= message.parts;
        performance.mark("python", { detail: message.way });
        this.#enter("ready");
        this.#next();
        break;
      case "unavailable":
        this.#fail(message.reason);
        break;
      case "broken":
        this.#replace(this.#current?.stopping ? RESTARTED : BROKEN);
        break;
      default:
        if ("run" in message && message.run === this.#current?.number)
          this.#hear(this.#current, message);
    }
  }

  /** What a worker says of the present job. */
  #hear(job: Job, message: FromWorker): void {
    switch (message.type) {
      case "started":
        this.#begin(job);
        break;
      case "output":
        for (const [stream, text] of message.pieces) job.run?.output(stream, text);
        break;
      case "overflow":
        job.run?.overflow(message.text);
        break;
      case "display":
        job.run?.display({ kind: message.kind, data: message.data, alt: message.alt });
        break;
      case "loading":
        job.run?.loading(message);
        break;
      case "resumed":
        job.run?.resumed();
        break;
      case "unloaded":
        this.#settle(
          job,
          job.stopping
            ? { kind: "withdrawn", reason: STOPPED_WAITING }
            : { kind: "unloaded", reason: message.reason },
        );
        break;
      case "traced":
        this.#settle(job, { kind: "traced", answer: message.answer });
        break;
      case "finished": {
        const { milliseconds, error } = message;
        const stopped = job.stopping && error?.interrupted;
        const end: Outcome = { kind: "finished", milliseconds, error };
        this.#settle(job, stopped ? { kind: "interrupted", reason: KEPT } : end);
      }
    }
  }

  #begin(job: Job): void {
    job.started = true;
    job.run?.started();
    if (job.stopping && !this.#engine?.interruptible) this.#replace(RESTARTED);
    else if (job.stopping) this.#engine?.interrupt();
    else this.#time(LONG, () => this.#standBy());
  }

  #settle(job: Job, outcome: Outcome): void {
    clearTimeout(this.#timer);
    this.#current = null;
    job.settle(outcome);
    this.#next();
  }

  #time(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, milliseconds);
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.dispatchEvent(new Event("phase"));
  }
}

export const interpreter = new Interpreter();
