// Constants that the build writes into the bundles.

/** The worker: the address of Python's files, each file's size and hash, and Pyodide's lock. */
declare const RUNTIME: {
  folder: string;
  files: Record<string, { size: number; sha256: string }>;
  lock: import("pyodide").Lockfile;
};

/** The worker: the text of each snippet by its path, so that cells can import it. */
declare const SNIPPETS: Record<string, string>;

/** The page: the worker's file name, beside the page's own script. */
declare const WORKER: string;

declare module "*.py" {
  const source: string;
  export default source;
}
