// Python as the worker uses it: one namespace a page, one call to run a cell.

import type { PyodideAPI } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import { RealModel } from "../model/real-model";
import type { Outbox } from "./outbox";
import { Packages } from "./packages";
import type { Display, Follow, OnBytes, PythonError, Stream } from "./protocol";

type Failure = PyProxy & {
  traceback: string;
  line?: number;
  advice?: Advice;
  interrupted: boolean;
};
type Advice = PyProxy & { text: string; companion: boolean };
type Shown = PyProxy & Display;
type Inner = { _api: { on_fatal?: () => void } };

/** What a cell has to wait for. */
interface Missing {
  names: string[];
  load(onBytes: OnBytes, unwanted: AbortSignal): Promise<void>;
}

export class Python {
  readonly #pyodide: PyodideAPI;
  readonly #runCell: PyCallable;
  readonly #packages: Packages;
  readonly #model: RealModel;
  #liveModule: PyProxy | null = null;
  readonly #namespaces = new Map<string, PyProxy>();
  readonly #interrupts: Int32Array;
  #outbox: Outbox | null = null;

  /** interrupts: where the page asks for a KeyboardInterrupt; null if it cannot. */
  constructor(pyodide: PyodideAPI, interrupts: Int32Array | null, onFatal: () => void) {
    this.#pyodide = pyodide;
    this.#interrupts = interrupts ?? waitingRoom();
    (pyodide as unknown as Inner)._api.on_fatal = () => {
      this.#outbox?.send();
      onFatal();
    };
    pyodide.setInterruptBuffer(this.#signals());
    this.#packages = new Packages(pyodide);
    this.#model = new RealModel(pyodide, (what, bytes, work) =>
      (this.#outbox as Outbox).whileWaiting(what, bytes, work),
    );
    this.#runCell = pyodide.pyimport("site_src.runtime.run_cell").run_cell;
    pyodide.runPython("import numpy"); // every page needs it, and a Stop must not halve it
    if (this.#interrupts.buffer instanceof ArrayBuffer) return; // nothing to wait at
    pyodide.pyimport("site_src.runtime.sleep").install((time: number) => this.#pause(time));
  }

  /** What some code imports and is not there yet: packages together, the real model by itself. */
  missing(code: string): Missing[] {
    const packages = this.#packages.missing(code);
    const parts: Missing[] = [
      { names: packages, load: (...how) => this.#packages.load(packages, ...how) },
      { names: this.#model.missing(code), load: (...how) => this.#model.load(...how) },
    ];
    return parts.filter(({ names }) => names.length);
  }

  /** Runs a cell among the variables of its page. Returns null, or the error of the reader's code. */
  run(page: string, name: string, code: string, outbox: Outbox): PythonError | null {
    this.#outbox = outbox;
    const write = (stream: Stream, text: string) => outbox.write(stream, text);
    const show = ({ kind, data, alt }: Shown) => outbox.show({ kind, data, alt });
    const namespace = this.#namespace(page);
    const failure: Failure | undefined = this.#runCell(name, code, namespace, write, show);
    if (!failure) return null;
    const { traceback, line, advice, interrupted } = failure;
    const error = {
      traceback,
      line: line ?? null,
      advice: advice?.text ?? "",
      companion: advice?.companion ?? false,
      interrupted,
    };
    advice?.destroy();
    failure.destroy();
    return error;
  }

  clearInterrupt(): void {
    this.#interrupts[0] = 0;
  }

  /** A figure's values for some inputs, or for the variables of a page. JSON in, JSON out. */
  trace(figure: string, inputs: string): string {
    return this.#live().get("answer")(figure, inputs);
  }

  follow(page: string, figure: string, inputs: string, { names, code }: Follow): string {
    return this.#live().get("follow")(figure, inputs, names, code, this.#namespace(page));
  }

  /** What Python looks at for signals, again and again while it runs: a busy worker's one moment to
   * send output that waits. Only in such a call does WebKit end a terminated worker, which would
   * else keep its core for good. Pyodide reads the first place and then writes 0 there; to do both
   * at once loses no signal. */
  #signals(): Int32Array {
    const interrupts = this.#interrupts;
    const outbox = () => this.#outbox;
    const signals = {
      get 0() {
        outbox()?.sendIfDue();
        return Atomics.exchange(interrupts, 0, 0);
      },
      set 0(_) {},
    };
    return signals as unknown as Int32Array;
  }

  #pause(milliseconds: number): void {
    this.#outbox?.send();
    Atomics.wait(this.#interrupts, 0, 0, milliseconds);
    this.#pyodide.checkInterrupt(); // raises
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

/** Shared memory, which alone can be waited at, also where the page is not isolated; in engines that
 * do not give it there, memory of this worker's own. */
function waitingRoom(): Int32Array {
  try {
    return new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
  } catch {
    return new Int32Array(1);
  }
}
