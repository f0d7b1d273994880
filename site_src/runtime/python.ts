// Python as the worker uses it: one namespace a page, one call to run a cell.

import type { PyodideAPI } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import { Packages } from "./packages";
import type { Display, Follow, PythonError, Stream } from "./protocol";

type Failure = PyProxy & { traceback: string; line?: number; advice?: Advice };
type Advice = PyProxy & { text: string; companion: boolean };
type Shown = PyProxy & Display;

/** Where a run's output goes. */
export interface Sink {
  write(stream: Stream, text: string): void;
  show(display: Display): void;
}

export class Python {
  readonly #pyodide: PyodideAPI;
  readonly #runCell: PyCallable;
  readonly packages: Packages;
  #liveModule: PyProxy | null = null;
  readonly #namespaces = new Map<string, PyProxy>();

  constructor(pyodide: PyodideAPI) {
    this.#pyodide = pyodide;
    this.packages = new Packages(pyodide);
    this.#runCell = pyodide.pyimport("site_src.runtime.run_cell").run_cell;
  }

  /** Runs a cell among the variables of its page. Returns null, or the error of the reader's code. */
  run(page: string, name: string, code: string, { write, show }: Sink): PythonError | null {
    const shown = ({ kind, data, alt }: Shown) => show({ kind, data, alt });
    const failure: Failure | undefined = this.#runCell(
      name,
      code,
      this.#namespace(page),
      write,
      shown,
    );
    if (!failure) return null;
    const { traceback, line, advice } = failure;
    const error = {
      traceback,
      line: line ?? null,
      advice: advice?.text ?? "",
      companion: advice?.companion ?? false,
    };
    advice?.destroy();
    failure.destroy();
    return error;
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
