// The page's side of Python: one worker for the whole visit, which every page shares.

import type {
  Display,
  Follow,
  FromWorker,
  Loading,
  PythonError,
  Stream,
  ToWorker,
} from "./protocol";

export type Phase = "off" | "loading" | "ready" | "unavailable";

export interface Run {
  page: string;
  name: string;
  code: string;
  started(): void;
  output(stream: Stream, text: string): void;
  display(display: Display): void;
  loading(loading: Loading): void;
}

/** How a run ended. `lost`: the interpreter ended before the run did. `unloaded`: it did not begin,
 * because a package that it imports did not come. */
export type Outcome =
  | { kind: "finished"; milliseconds: number; error: PythonError | null }
  | { kind: "traced"; answer: string }
  | { kind: "unloaded"; reason: string }
  | { kind: "lost"; reason: string };

interface Pending {
  run: Run | undefined; // none behind a trace
  settle(outcome: Outcome): void;
}

const BROKEN =
  "Python broke down while this ran. It was restarted, so its variables are gone; your code is as it was.";

/** Events: `progress` (loaded, total, in bytes) and `phase`. */
export class Interpreter extends EventTarget {
  phase: Phase = "off";
  reason = ""; // why the last interpreter ended
  loaded = 0;
  total = 0;
  /** Counts the interpreters so far: what ran in an earlier one has left nothing behind. */
  generation = 0;
  /** Counts the interpreters that ended before their work was done. */
  losses = 0;
  #worker: Worker | null = null;
  #runs = new Map<number, Pending>();
  #lastRun = 0;

  /** Starts Python unless it is there or on its way. Fetches some 18 MB, so call it on intent only. */
  start(): void {
    if (this.phase === "off" || this.phase === "unavailable") this.#launch();
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

  #ask(message: (number: number) => ToWorker, run?: Run): Promise<Outcome> {
    this.start();
    return new Promise((settle) => {
      const number = ++this.#lastRun;
      this.#runs.set(number, { run, settle });
      this.#send(message(number));
    });
  }

  /** Ends the worker, whatever it is doing, and starts another: no host can prevent that. */
  restart(reason: string): void {
    this.#end(reason);
    this.#launch();
  }

  #launch(): void {
    const afresh = this.phase === "unavailable";
    const worker = new Worker(new URL(WORKER, import.meta.url), { type: "module" });
    this.#worker = worker;
    this.generation += 1;
    this.loaded = 0;
    // Messages of an ended worker may still arrive: only the present one is listened to.
    const present = (listener: () => void) => {
      if (worker === this.#worker) listener();
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => present(() => this.#receive(data));
    worker.onerror = (event) => {
      event.preventDefault();
      present(() => this.#fail("its worker could not be loaded"));
    };
    this.#send({ type: "start", afresh });
    this.#enter("loading");
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        this.loaded = message.loaded;
        this.total = message.total;
        this.dispatchEvent(new Event("progress"));
        break;
      case "ready":
        this.#enter("ready");
        break;
      case "unavailable":
        this.#fail(message.reason);
        break;
      case "started":
        this.#runs.get(message.run)?.run?.started();
        break;
      case "output":
        this.#runs.get(message.run)?.run?.output(message.stream, message.text);
        break;
      case "display": {
        const { kind, data, alt } = message;
        this.#runs.get(message.run)?.run?.display({ kind, data, alt });
        break;
      }
      case "loading":
        this.#runs.get(message.run)?.run?.loading(message);
        break;
      case "unloaded":
        this.#settle(message.run, { kind: "unloaded", reason: message.reason });
        break;
      case "traced":
        this.#settle(message.run, { kind: "traced", answer: message.answer });
        break;
      case "broken":
        this.restart(BROKEN);
        break;
      case "finished":
        this.#settle(message.run, {
          kind: "finished",
          milliseconds: message.milliseconds,
          error: message.error,
        });
    }
  }

  #fail(reason: string): void {
    this.#end(`Python could not start: ${reason}.`);
    this.#enter("unavailable");
  }

  #end(reason: string): void {
    this.reason = reason;
    this.losses += 1;
    this.#worker?.terminate();
    this.#worker = null;
    for (const number of [...this.#runs.keys()]) this.#settle(number, { kind: "lost", reason });
  }

  #settle(number: number, outcome: Outcome): void {
    this.#runs.get(number)?.settle(outcome);
    this.#runs.delete(number);
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.dispatchEvent(new Event("phase"));
  }
}

export const interpreter = new Interpreter();
