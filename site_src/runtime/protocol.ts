// What the page and its worker say to each other. Every message about a run carries the run's number.

export type Stream = "stdout" | "stderr";

export interface PythonFile {
  size: number; // bytes
  sha256: string; // hexadecimal
}

/** Page to worker. The first message is `start`. */
export type ToWorker =
  | { type: "start"; afresh: boolean } // afresh: past the browser's cache, which may hold a bad copy
  | { type: "run"; run: number; page: string; name: string; code: string };

/** Worker to page. */
export type FromWorker =
  | { type: "progress"; loaded: number; total: number } // bytes
  | { type: "ready" }
  | { type: "unavailable"; reason: string } // the machinery failed, not the reader's code
  | { type: "started"; run: number }
  | { type: "output"; run: number; stream: Stream; text: string }
  | { type: "broken"; run: number } // the run took the interpreter down with it
  | { type: "finished"; run: number; milliseconds: number; error: PythonError | null };

/** An error of the reader's code, as data. */
export interface PythonError {
  traceback: string; // the reader's own frames only
  line: number | null; // in the cell, counted from 1
}
