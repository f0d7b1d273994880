// Python's files: fetched once, counted while they arrive, verified before they are trusted, unpacked.

import { sha256 } from "@noble/hashes/sha2.js";
import type { HostedFile, OnBytes, PythonFile } from "./protocol";

/** A file that is missing, cut short or altered. */
export class FileProblem extends Error {}

export class RuntimeFiles {
  /** Rejects as soon as any file turns out to be unusable; resolves once all are verified. */
  readonly verified: Promise<unknown>;
  readonly #responses = new Map<string, Promise<Response>>();
  readonly #total: number; // bytes to come
  readonly #end = new AbortController();
  #loaded = 0;

  constructor(
    readonly base: string, // the folder's address, with a slash at its end
    files: Record<string, HostedFile>,
    readonly afresh: boolean, // past the browser's cache
    readonly onProgress: OnBytes,
    unwanted?: AbortSignal, // gives up what has not come; where it is given, a bad file does so too
  ) {
    this.#total = Object.values(files).reduce((sum, file) => sum + file.size, 0);
    for (const [name, file] of Object.entries(files))
      this.#responses.set(base + name, this.#open(name, file));
    this.verified = Promise.all(this.#responses.values());
    const giveUp = () => unwanted && this.#end.abort();
    unwanted?.addEventListener("abort", giveUp);
    this.verified.catch(giveUp);
  }

  /** The file behind an address, once it is verified; undefined if it is not one of ours. Its body
   * can be read once. */
  response(address: string): Promise<Response> | undefined {
    return this.#responses.get(address);
  }

  async #open(name: string, file: HostedFile): Promise<Response> {
    const sent = this.#verified(nameSent(name, file), file);
    const content = file.unpacked ? await unpacked(sent, file.unpacked) : await sent;
    // Hosts that do not know the type of .wasm break streaming compilation: say it ourselves.
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(content, { headers: { "content-type": type } });
  }

  async #fetch(name: string): Promise<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>> {
    const cache = this.afresh ? "reload" : "default";
    const { signal } = this.#end;
    const response = await fetch(this.base + name, { cache, signal }).catch(() => {
      throw new FileProblem(`${name} could not be fetched`);
    });
    if (!response.ok || !response.body)
      throw new FileProblem(`${name} ${missing(response.status)}`);
    return response.body.getReader();
  }

  /** A file's bytes, counted as they come. Rejects at their end if they are not the expected ones. */
  async #verified(name: string, expected: PythonFile): Promise<Uint8Array<ArrayBuffer>> {
    const reader = await this.#fetch(name);
    const content = new Uint8Array(expected.size);
    let size = 0;
    const read = () =>
      reader.read().catch(() => {
        throw new FileProblem(`${name} could not be fetched`);
      });
    for (let next = await read(); !next.done; next = await read()) {
      if (size + next.value.length <= expected.size) content.set(next.value, size);
      size += next.value.length;
      this.#loaded += next.value.length;
      this.onProgress(this.#loaded, this.#total);
    }
    const problem = problemOf({ size, sha256: await digest(content) }, expected);
    if (problem) throw new FileProblem(`${name} ${problem}`);
    return content;
  }
}

/** What unpacks comes while the file does. */
async function unpacked(sent: Promise<Uint8Array<ArrayBuffer>>, size: number) {
  const [packed, { unpack }] = await Promise.all([sent, import("./unpack")]);
  return unpack(packed, size);
}

function nameSent(name: string, file: HostedFile): string {
  return file.unpacked ? `${name}.zstd` : name;
}

type Answers = Pick<RuntimeFiles, "response" | "verified">;

/** Does some work of Pyodide's, which takes addresses, not bytes: its requests get our files. */
export async function answering<T>(files: Answers, work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  addEventListener("unhandledrejection", quiet);
  globalThis.fetch = async (input, init) =>
    files.response(input instanceof Request ? input.url : String(input)) ?? fetch(input, init);
  let whole = false;
  try {
    // A file that fails may leave Pyodide waiting for ever, so its own promise alone is not enough.
    const failure = files.verified.then(() => new Promise<never>(() => {}));
    const done = await Promise.race([work(), failure]);
    whole = true;
    return done;
  } catch (error) {
    await files.verified; // what a bad file has broken is told by the file
    throw error;
  } finally {
    globalThis.fetch = fetch;
    if (whole) removeEventListener("unhandledrejection", quiet);
  }
}

/** A failing file leaves rejected promises behind, in Pyodide and here; one message tells it all. */
function quiet(event: PromiseRejectionEvent): void {
  event.preventDefault();
}

/** In what way a file is not the expected one; "" if it is. */
export function problemOf(found: PythonFile, expected: PythonFile): string {
  if (found.size < expected.size) return `is cut short (${found.size} of ${expected.size} bytes)`;
  const isExpected = found.size === expected.size && found.sha256 === expected.sha256;
  return isExpected ? "" : "is not the file that this site was built with";
}

export function missing(status: number): string {
  return `is missing (${status})`;
}

/** Browsers hash natively only on secure origins; a page on a home network's http needs the library. */
async function digest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!globalThis.crypto.subtle) return hexadecimal(sha256(content));
  return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
}

export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
