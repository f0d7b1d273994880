// What the build writes into the worker's bundle.

/** The address of Python's files, each file's size and hash, and Pyodide's lock. */
declare const RUNTIME: {
  folder: string;
  files: Record<string, { size: number; sha256: string }>;
  lock: import("pyodide").Lockfile;
};

/** The text of each snippet and trace by its path, so that cells and figures can import it. */
declare const SNIPPETS: Record<string, string>;

declare module "*.py" {
  const source: string;
  export default source;
}
