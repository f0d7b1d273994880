// What the page and its worker say to each other. Every message about a run carries the run's number.

export type Stream = "stdout" | "stderr";
export type Piece = [stream: Stream, text: string];

/** What a page shows of one run's output, and how much more it keeps for a download. */
export const SHOWN = { characters: 200_000, lines: 5_000 };
export const KEPT = 5_000_000; // characters

/** Told how many bytes have come, of how many. */
export type OnBytes = (loaded: number, total: number) => void;

export interface PythonFile {
  size: number; // bytes
  sha256: string; // hexadecimal
}

/** A file of Python's as the site hosts it. Many hosts compress by a file's type only, so large ones
 * travel packed, under their name and `.zstd`. */
export interface HostedFile extends PythonFile {
  unpacked?: number; // bytes
}

/** How Python was started, best first. */
export type Way = "image" | "bytecode" | "stock";

/** What Python is made of: a worker leaves it to the next one, which starts sooner for it. */
export interface Parts {
  python: WebAssembly.Module;
  objects: WebAssembly.Module[]; // shared ones, in the order of RUNTIME.image.objects
  image: ArrayBuffer;
}

/** Page to worker. The first message is `start`. */
export type ToWorker =
  | {
      type: "start";
      afresh: boolean; // past the browser's cache, which may hold a bad copy
      interrupts: Int32Array | null; // shared: a 2 in its first place is Ctrl+C
      parts: Parts | null; // of an earlier worker's Python
      life: string; // the name of a lock that the worker holds as long as it lives
    }
  | { type: "ping"; run: number }
  | { type: "abort" } // what the run waits for before it begins
  | { type: "run"; run: number; page: string; name: string; code: string }
  | { type: "trace"; run: number; figure: string; inputs: string } // inputs: JSON
  | { type: "follow"; run: number; page: string; figure: string; inputs: string; follow: Follow };

/** Worker to page. `started` and `finished` come from one task, so no `pong` can come between. */
export type FromWorker =
  | { type: "progress"; loaded: number; total: number } // bytes
  | { type: "ready"; way: Way; parts: Parts | null }
  | { type: "unavailable"; reason: string } // the machinery failed, not the reader's code
  | { type: "pong"; run: number }
  | ({ type: "loading"; run: number } & Loading)
  | { type: "unloaded"; run: number; reason: string } // a package did not come, or is not wanted any more; nothing was run
  | { type: "started"; run: number }
  | { type: "resumed"; run: number } // after `loading` in the middle of a run
  | { type: "output"; run: number; pieces: Piece[] }
  | { type: "overflow"; run: number; text: string } // output beyond what is shown
  | ({ type: "display"; run: number } & Display)
  | { type: "traced"; run: number; answer: string } // JSON: {"trace"} or {"problem"}
  | { type: "broken" } // the interpreter is of no more use
  | { type: "finished"; run: number; milliseconds: number; error: PythonError | null };

/** What a run waits for: packages that its code imports, or files in the middle of it. */
export interface Loading {
  what: string;
  loaded: number; // bytes
  total: number;
}

/** Something to look at. A table is JSON: {"columns", "rows", "more": the rows left out}. */
export interface Display {
  kind: "svg" | "png" | "table"; // png: in base64
  data: string;
  alt: string; // a sentence for those who cannot see it
}

/** A figure's wish to view the reader's variables, after a cell with this code has run. */
export interface Follow {
  names: string; // of the variables, separated by spaces
  code: string;
}

/** An error of the reader's code, as data. */
export interface PythonError {
  traceback: string; // the reader's own frames only
  line: number | null; // in the cell, counted from 1
  advice: string; // a sentence more than Python says, or nothing
  companion: boolean; // whether the pages of PyTorch help
  interrupted: boolean; // a KeyboardInterrupt: Stop, or the reader's own
}
