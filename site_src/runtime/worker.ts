// The worker: starts Python once, then runs one cell after another.

import { boot } from "./boot";
import { FileProblem } from "./files";
import { Outbox } from "./outbox";
import type { FromWorker, ToWorker } from "./protocol";
import { Python } from "./python";

const say = (message: FromWorker, ...given: Transferable[]) => postMessage(message, given);
let python: Promise<Python>;
let turn: Promise<void> = Promise.resolve(); // one after another, also where one waits for packages
let unwanted = new AbortController(); // ends that wait

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "run") unwanted = new AbortController();
  if (data.type === "start") start(data);
  else if (data.type === "abort") unwanted.abort();
  else if (data.type === "ping") say({ type: "pong", run: data.run });
  else
    turn = turn.then(async () => answer(data, await python)).catch(() => say({ type: "broken" }));
});

async function answer(data: ToWorker, python: Python): Promise<void> {
  // A Stop that came too late for the run before must not hit this one, nor what prepares it; the
  // page stops none that has not said that it started.
  python.clearInterrupt();
  if (data.type === "trace" || data.type === "follow") trace(data, python);
  else if (data.type === "run" && (await loaded(data, python))) run(data, python);
}

function start({ afresh, parts, interrupts, life }: ToWorker & { type: "start" }): void {
  const alive = holdForLife(life);
  const started = boot(afresh, parts, (loaded, total) => say({ type: "progress", loaded, total }));
  python = started.then(
    ({ python }) => new Python(python, interrupts, () => say({ type: "broken" })),
  );
  Promise.all([started, python, alive]).then(
    ([{ way, parts }]) => say({ type: "ready", way, parts }, ...(parts ? [parts.image] : [])),
    (error) => say({ type: "unavailable", reason: reasonOf(error) }),
  );
}

/** Takes a lock that only the end of this worker sets free; resolves once it is held. */
function holdForLife(life: string): Promise<void> {
  return new Promise((held) => {
    if (!navigator.locks)
      held(); // no secure origin
    else
      void navigator.locks
        .request(life, () => {
          held();
          return new Promise(() => {});
        })
        .catch(() => held());
  });
}

function reasonOf(error: unknown): string {
  return error instanceof FileProblem ? error.message : `its start failed (${error})`;
}

/** Whether all that a cell imports is there; fetches what is not, unless that is stopped. */
async function loaded({ run, code }: ToWorker & { type: "run" }, python: Python): Promise<boolean> {
  const { signal } = unwanted;
  for (const { names, load } of python.missing(code)) {
    const what = names.join(", ");
    try {
      await load((loaded, total) => say({ type: "loading", run, what, loaded, total }), signal);
      signal.throwIfAborted();
    } catch (error) {
      const why = error instanceof FileProblem ? error.message : String(error);
      const reason = `${what} could not be loaded: ${why}. Nothing was run.`;
      say({ type: "unloaded", run, reason });
      return false;
    }
  }
  return true;
}

function run({ run, page, name, code }: ToWorker & { type: "run" }, python: Python): void {
  const outbox = new Outbox(run, say);
  say({ type: "started", run });
  const start = performance.now();
  try {
    const error = python.run(page, name, code, outbox);
    outbox.send();
    say({ type: "finished", run, milliseconds: performance.now() - start, error });
  } catch {
    // Python reports the reader's errors as data: what arrives here has broken Python itself.
    outbox.send();
    say({ type: "broken" });
  }
}

function trace(message: ToWorker & { type: "trace" | "follow" }, python: Python): void {
  const { run, figure, inputs } = message;
  try {
    const answer =
      message.type === "trace"
        ? python.trace(figure, inputs)
        : python.follow(message.page, figure, inputs, message.follow);
    say({ type: "traced", run, answer });
  } catch (error) {
    say({ type: "traced", run, answer: JSON.stringify({ problem: String(error) }) });
  }
}
