// The worker: starts Python once, then runs one cell after another.

import { boot } from "./boot";
import { FileProblem } from "./files";
import type { FromWorker, Stream, ToWorker } from "./protocol";
import { Python } from "./python";

const say = (message: FromWorker) => postMessage(message);
let python: Promise<Python>;

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") start(data.afresh);
  else if (data.type === "run") run(data, await python);
  else trace(data, await python);
});

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
function capped(run: number): (stream: Stream, text: string) => void {
  let characters = 200_000;
  let pieces = 20_000;
  const output = (stream: Stream, text: string) => say({ type: "output", run, stream, text });
  return (stream, text) => {
    if (characters < 0 || pieces < 0) return;
    characters -= text.length;
    pieces -= 1;
    output(stream, characters < 0 ? text.slice(0, characters) : text);
    if (characters < 0 || pieces < 0)
      output("stderr", "\n… more output than a page can show; the rest is left out.\n");
  };
}
