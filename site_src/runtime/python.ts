// Python as the worker uses it: one namespace a page, one call to run a cell.

import type { PyodideAPI } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import type { Follow, PythonError, Stream } from "./protocol";
import RUN_CELL from "./run_cell.py";

type Failure = PyProxy & { traceback: string; line?: number };

export class Python {
  readonly #pyodide: PyodideAPI;
  readonly #runCell: PyCallable;
  #liveModule: PyProxy | null = null;
  readonly #namespaces = new Map<string, PyProxy>();

  constructor(pyodide: PyodideAPI) {
    this.#pyodide = pyodide;
    const module = this.#newNamespace();
    pyodide.runPython(RUN_CELL, { globals: module, filename: "run_cell.py" });
    this.#runCell = module.get("run_cell");
  }

  /** Runs a cell among the variables of its page. Returns null, or the error of the reader's code. */
  run(
    page: string,
    name: string,
    code: string,
    write: (stream: Stream, text: string) => void,
  ): PythonError | null {
    const failure = this.#runCell(name, code, this.#namespace(page), write) as Failure | undefined;
    if (!failure) return null;
    const { traceback, line } = failure;
    failure.destroy();
    return { traceback, line: line ?? null };
  }

  /** A figure's values for some inputs, or for the variables of a page. JSON in, JSON out. */
  trace(figure: string, inputs: string): string {
    return this.#live().get("answer")(figure, inputs);
  }

  follow(page: string, figure: string, inputs: string, { names, code }: Follow): string {
    return this.#live().get("follow")(figure, inputs, names, code, this.#namespace(page));
  }

  #live(): PyProxy & { get(name: string): PyCallable } {
    this.#liveModule ??= this.#pyodide.runPython(
      "import site_src.figures.live as live; vars(live)",
      {
        globals: this.#newNamespace(),
      },
    );
    return this.#liveModule as PyProxy & { get(name: string): PyCallable };
  }

  #namespace(page: string): PyProxy {
    const namespace = this.#namespaces.get(page) ?? this.#newNamespace();
    this.#namespaces.set(page, namespace);
    return namespace;
  }

  #newNamespace(): PyProxy & { get(name: string): PyCallable } {
    return this.#pyodide.runPython("dict()");
  }
}
