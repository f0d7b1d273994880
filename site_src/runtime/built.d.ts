// What the build writes into the worker's bundle.

/** The address of Python's files, each file's size and hash, and Pyodide's lock. */
declare const RUNTIME: {
  folder: string;
  files: Record<string, { size: number; sha256: string }>; // that it starts from
  packages: Record<string, { size: number; sha256: string }>; // that come when a cell imports them
  lock: import("pyodide").Lockfile;
};

/** The text of each Python file of ours by its path: what runs cells, and what these may import. */
declare const SOURCES: Record<string, string>;
