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

/** A pretrained model as the site hosts it, each file as it is. */
type HostedModel = {
  name: string;
  folder: string; // of the site's files
  put: string; // where Python looks for them
  first: Record<string, import("./protocol").PythonFile>;
  later: Record<string, import("./protocol").PythonFile>; // for rarer words
};

/** The real model; null in a build without it. */
declare const MODEL: HostedModel | null;

/** The text of each Python file of ours by its path: what runs cells, and what these may import. */
declare const SOURCES: Record<string, string>;
