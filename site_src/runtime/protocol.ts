// What the page and its worker say to each other. Every message about a run carries the run's number.

export type Stream = "stdout" | "stderr";

/** Told how many bytes have come, of how many. */
export type OnBytes = (loaded: number, total: number) => void;

export interface PythonFile {
  size: number; // bytes
  sha256: string; // hexadecimal
}

/** Page to worker. The first message is `start`. */
export type ToWorker =
  | { type: "start"; afresh: boolean } // afresh: past the browser's cache, which may hold a bad copy
  | { type: "run"; run: number; page: string; name: string; code: string }
  | { type: "trace"; run: number; figure: string; inputs: string } // inputs: JSON
  | { type: "follow"; run: number; page: string; figure: string; inputs: string; follow: Follow };

/** Worker to page. */
export type FromWorker =
  | { type: "progress"; loaded: number; total: number } // bytes
  | { type: "ready" }
  | { type: "unavailable"; reason: string } // the machinery failed, not the reader's code
  | ({ type: "loading"; run: number } & Loading)
  | { type: "unloaded"; run: number; reason: string } // a package did not come; nothing was run
  | { type: "started"; run: number }
  | { type: "output"; run: number; stream: Stream; text: string }
  | ({ type: "display"; run: number } & Display)
  | { type: "traced"; run: number; answer: string } // JSON: {"trace"} or {"problem"}
  | { type: "broken"; run: number } // the run took the interpreter down with it
  | { type: "finished"; run: number; milliseconds: number; error: PythonError | null };

/** What a run waits for: packages that its code imports. */
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
}
