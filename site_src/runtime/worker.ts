// The worker: starts Python once, then runs one cell after another.

import { boot } from "./boot";
import { FileProblem } from "./files";
import type { FromWorker, Stream, ToWorker } from "./protocol";
import { Python, type Sink } from "./python";

const say = (message: FromWorker) => postMessage(message);
let python: Promise<Python>;
let turn: Promise<void> = Promise.resolve(); // one after another, also where one waits for packages

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") start(data.afresh);
  else turn = turn.then(async () => answer(data, await python));
});

async function answer(data: Exclude<ToWorker, { type: "start" }>, python: Python): Promise<void> {
  if (data.type !== "run") trace(data, python);
  else if (await loaded(data, python)) run(data, python);
}

function start(afresh: boolean): void {
  python = boot(afresh, (loaded, total) => say({ type: "progress", loaded, total })).then(
    (pyodide) => new Python(pyodide),
  );
  python.then(
    () => say({ type: "ready" }),
    (error) => say({ type: "unavailable", reason: reasonOf(error) }),
  );
}

function reasonOf(error: unknown): string {
  return error instanceof FileProblem ? error.message : `its start failed (${error})`;
}

/** Whether the packages that a cell imports are there; fetches them where they are not. */
async function loaded({ run, code }: ToWorker & { type: "run" }, python: Python): Promise<boolean> {
  const missing = python.packages.missing(code);
  if (!missing.length) return true;
  const what = missing.join(", ");
  try {
    await python.packages.load(missing, (loaded, total) =>
      say({ type: "loading", run, what, loaded, total }),
    );
    return true;
  } catch (error) {
    const why = error instanceof FileProblem ? error.message : String(error);
    say({ type: "unloaded", run, reason: `${what} could not be loaded: ${why}. Nothing was run.` });
    return false;
  }
}

function run({ run, page, name, code }: ToWorker & { type: "run" }, python: Python): void {
  say({ type: "started", run });
  const start = performance.now();
  try {
    const error = python.run(page, name, code, capped(run));
    say({ type: "finished", run, milliseconds: performance.now() - start, error });
  } catch {
    // Python reports the reader's errors as data: what arrives here has broken Python itself.
    say({ type: "broken", run });
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

/** Hands output on until there is more than a page can show; says so, and drops the rest. */
function capped(run: number): Sink {
  let characters = 200_000;
  let pieces = 20_000;
  let displays = 50;
  const output = (stream: Stream, text: string) => say({ type: "output", run, stream, text });
  const write = (stream: Stream, text: string) => {
    if (characters < 0 || pieces < 0) return;
    characters -= text.length;
    pieces -= 1;
    output(stream, characters < 0 ? text.slice(0, characters) : text);
    if (characters < 0 || pieces < 0)
      output("stderr", "\n… more output than a page can show; the rest is left out.\n");
  };
  const show: Sink["show"] = (display) => {
    displays -= 1;
    if (displays >= 0) say({ type: "display", run, ...display });
    else if (displays === -1)
      output("stderr", "\n… more pictures and tables than a page can show.\n");
  };
  return { write, show };
}
