// What the build writes into the worker's bundle.

type HostedFiles = Record<string, import("./protocol").HostedFile>; // by their names
type PyodideLock = import("pyodide").Lockfile;

/** A start from archives of modules; the two are also what an image leaves out. */
type Archives = {
  files: HostedFiles;
  code: string; // the folder of Python's own
  stdlib: string;
  numpy: string;
  lock: PyodideLock;
};

/** The address of Python's files, and what each way to start it needs. */
declare const RUNTIME: {
  folder: string;
  env: Record<string, string>; // environment variables
  image: {
    files: HostedFiles;
    objects: { path: string; file: string }[]; // shared objects: below site-packages, and hosted
  };
  bytecode: Archives;
  stock: Archives;
  packages: HostedFiles; // that come when a cell imports them
};

/** The text of each Python file of ours by its path: what runs cells, and what these may import. */
declare const SOURCES: Record<string, string>;
