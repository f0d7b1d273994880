// Packages that come when a cell imports them: found in its code, fetched and verified like the rest.

import type { PyodideAPI } from "pyodide";
import { answering, RuntimeFiles } from "./files";
import type { OnBytes } from "./protocol";

const { packages } = RUNTIME.bytecode.lock;

export class Packages {
  #afresh = false;

  constructor(readonly pyodide: PyodideAPI) {}

  /** The hosted packages that some code imports and that are not there yet. */
  missing(code: string): string[] {
    if (!this.#mentionsAny(code)) return [];
    const found = this.pyodide.pyimport("pyodide.code").find_imports(code);
    const imports = new Set<string>(found.toJs());
    found.destroy();
    return Object.keys(packages).filter(
      (name) => packages[name]?.imports.some((one) => imports.has(one)) && !this.#has(name),
    );
  }

  /** Python takes milliseconds to parse a cell for its imports; most cells need not be parsed. */
  #mentionsAny(code: string): boolean {
    return Object.entries(packages).some(
      ([name, { imports }]) => !this.#has(name) && imports.some((one) => code.includes(one)),
    );
  }

  /** Loads packages with all that they need. Rejects with the problem of a file that fails. */
  async load(names: string[], onBytes: OnBytes, unwanted: AbortSignal): Promise<void> {
    const base = new URL(`${RUNTIME.folder}/`, import.meta.url).href;
    const files = new RuntimeFiles(base, this.#filesOf(names), this.#afresh, onBytes, unwanted);
    const before = this.#afresh;
    this.#afresh = true; // if this attempt fails, the browser's cache may hold a bad copy
    unwanted.addEventListener("abort", () => {
      this.#afresh = before;
    });
    const silent = () => {};
    await answering(files, () =>
      this.pyodide.loadPackage(names, { messageCallback: silent, errorCallback: silent }),
    );
    this.#afresh = false;
  }

  #has(name: string): boolean {
    return name in this.pyodide.loadedPackages;
  }

  #filesOf(names: string[]) {
    const wanted = new Set<string>();
    const visit = (name: string) => {
      const found = packages[name];
      if (!found || this.#has(name) || wanted.has(found.file_name)) return;
      wanted.add(found.file_name);
      for (const needed of found.depends) visit(needed);
    };
    for (const name of names) visit(name);
    return Object.fromEntries(
      Object.entries(RUNTIME.packages).filter(([file]) => wanted.has(file)),
    );
  }
}
