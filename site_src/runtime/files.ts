// Python's files: fetched once, counted while they arrive, and verified before they are trusted.

import type { OnBytes, PythonFile } from "./protocol";

/** A file that is missing, cut short or altered. */
export class FileProblem extends Error {}

export class RuntimeFiles {
  /** Rejects as soon as any file turns out to be unusable; never resolves. */
  readonly failure: Promise<never>;
  readonly #responses = new Map<string, Promise<Response>>();
  #fail!: (problem: unknown) => void;
  #loaded = 0;

  constructor(
    readonly base: string, // the folder's address, with a slash at its end
    readonly files: Record<string, PythonFile>,
    readonly afresh: boolean,
    readonly onProgress: OnBytes,
  ) {
    this.failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failure.catch(() => {});
    for (const name of Object.keys(files)) this.#responses.set(base + name, this.#open(name));
  }

  /** The file behind an address, or undefined if it is not one of ours. Its body can be read once. */
  response(address: string): Promise<Response> | undefined {
    return this.#responses.get(address);
  }

  async #open(name: string): Promise<Response> {
    try {
      const expected = this.files[name] as PythonFile;
      const response = await fetch(this.base + name, { cache: this.afresh ? "reload" : "default" });
      if (!response.ok || !response.body)
        throw new FileProblem(`${name} is missing (${response.status})`);
      const body = response.body.pipeThrough(this.#verified(name, expected));
      // Hosts that do not know the type of .wasm break streaming compilation: say it ourselves.
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
      return new Response(body, { headers: { "content-type": type } });
    } catch (error) {
      throw this.#failed(name, error);
    }
  }

  #failed(name: string, error: unknown): FileProblem {
    const problem =
      error instanceof FileProblem ? error : new FileProblem(`${name} could not be fetched`);
    this.#fail(problem);
    return problem;
  }

  /** Passes the bytes on as they come; ends with an error if they are not the expected ones. */
  #verified(name: string, expected: PythonFile): TransformStream<Uint8Array, Uint8Array> {
    const content = new Uint8Array(expected.size);
    const total = Object.values(this.files).reduce((sum, file) => sum + file.size, 0);
    let length = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        if (length + chunk.length <= expected.size) content.set(chunk, length);
        length += chunk.length;
        this.#loaded += chunk.length;
        this.onProgress(this.#loaded, total);
        controller.enqueue(chunk);
      },
      flush: async (controller) => {
        const problem = await verdict(content, length, expected);
        if (problem) controller.error(this.#failed(name, new FileProblem(`${name} ${problem}`)));
      },
    });
  }
}

/** Does some work of Pyodide's, which takes addresses, not bytes: its requests get our files. */
export async function answering<T>(files: RuntimeFiles, work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  addEventListener("unhandledrejection", quiet);
  globalThis.fetch = async (input, init) =>
    files.response(input instanceof Request ? input.url : String(input)) ?? fetch(input, init);
  let whole = false;
  try {
    // A file that fails may leave Pyodide waiting for ever, so its own promise alone is not enough.
    const done = await Promise.race([work(), files.failure]);
    whole = true;
    return done;
  } finally {
    globalThis.fetch = fetch;
    if (whole) removeEventListener("unhandledrejection", quiet);
  }
}

/** A failing file leaves rejected promises behind, in Pyodide and here; one message tells it all. */
function quiet(event: PromiseRejectionEvent): void {
  event.preventDefault();
}

async function verdict(content: Uint8Array, length: number, expected: PythonFile) {
  if (length < expected.size) return `is cut short (${length} of ${expected.size} bytes)`;
  if (length > expected.size || (await sha256(content)) !== expected.sha256)
    return "is not the file that this site was built with";
  return null;
}

async function sha256(content: Uint8Array): Promise<string> {
  // Browsers hash natively only on secure origins; a page on a home network's http needs the library.
  const hash = globalThis.crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", content as BufferSource))
    : (await import("@noble/hashes/sha2.js")).sha256(content);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
