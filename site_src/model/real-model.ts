// The real model in the page: its files come when a cell imports it, like a package; the vectors of
// rarer words when a text first has one, all at once, so that nobody learns which word it was.

import type { PyodideAPI } from "pyodide";
import type { PyProxy } from "pyodide/ffi";
import { RuntimeFiles } from "../runtime/files";
import { fetchNow } from "../runtime/late";
import type { OnBytes } from "../runtime/protocol";

/** Does some work while the page says what the run waits for, and how many bytes that are. */
type WhileWaiting = <T>(what: string, bytes: number, work: () => T) => T;

const IMPORTED = /\breal_model\b/;

export class RealModel {
  #there = false;
  #afresh = false;

  constructor(
    readonly pyodide: PyodideAPI,
    readonly whileWaiting: WhileWaiting,
  ) {}

  /** What it is called, if some code imports it and it is not there yet. */
  missing(code: string): string[] {
    return MODEL && !this.#there && IMPORTED.test(code) ? [MODEL.name] : [];
  }

  /** Puts the files where Python looks for them. Rejects with the problem of a file that fails. */
  async load(onBytes: OnBytes, unwanted: AbortSignal): Promise<void> {
    if (!MODEL) return;
    const base = addressOf(MODEL);
    const files = new RuntimeFiles(base, MODEL.first, this.#afresh, onBytes, unwanted);
    const before = this.#afresh;
    this.#afresh = true; // if this attempt fails, the browser's cache may hold a bad copy
    unwanted.addEventListener("abort", () => {
      this.#afresh = before;
    });
    const names = Object.keys(MODEL.first);
    const contents = names.map(async (name) => (await files.response(base + name))?.arrayBuffer());
    const [found] = await Promise.all([Promise.all(contents), files.verified]);
    names.forEach((name, place) => {
      this.#put(name, new Uint8Array(found[place] as ArrayBuffer));
    });
    const module = this.pyodide.pyimport("snippets.real_model") as PyProxy & { fetch: unknown };
    module.fetch = (name: string) => this.#fetch(name);
    module.destroy();
    this.#afresh = false;
    this.#there = true;
  }

  /** Brings a file in the middle of a run. Returns what went wrong, or "". */
  #fetch(name: string): string {
    const file = MODEL?.later[name];
    if (!MODEL || !file) return "is not a file of this site";
    const address = addressOf(MODEL) + name;
    const work = () => fetchNow(address, file, this.#afresh);
    const { content, problem } = this.whileWaiting("the rarer words", file.size, work);
    this.#afresh = problem !== "";
    if (problem) return `${problem}. Check the connection and run this again.`;
    this.#put(name, content);
    return "";
  }

  #put(name: string, content: Uint8Array): void {
    const folder = (MODEL as HostedModel).put;
    this.pyodide.FS.mkdirTree(folder);
    this.pyodide.FS.writeFile(`${folder}/${name}`, content);
  }
}

function addressOf({ folder }: HostedModel): string {
  return new URL(`${folder}/`, import.meta.url).href;
}
