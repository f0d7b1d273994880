// The whole site on this device: fetched when it is wanted, completed after each new deployment.

import { type Build, isNamedByContent, type Kept, wholeSite } from "./kept";

const AT_ONCE = 4; // files

export type Standing = "off" | "fetching" | "complete" | "broken off" | "no room";
type File = [path: string, bytes: number];

/** Where the reader's wish is kept, in the browser's storage. */
export function wantedKey(scope: string): string {
  return `whole site ${scope}`;
}

/** Event: `changed`. */
export class WholeSite extends EventTarget {
  standing: Standing = "off";
  loaded = 0; // bytes
  readonly total: number;
  readonly #files: File[];

  constructor(
    readonly kept: Kept,
    build: Build,
    readonly version: string, // of the build
  ) {
    super();
    this.#files = wholeSite(build);
    this.total = sum(this.#files);
    addEventListener("online", () => void this.look());
    addEventListener("storage", ({ key }) => key === this.#key && void this.look());
  }

  /** Finds out how things stand; goes on where a fetch was broken off, or a new build is out. */
  async look(): Promise<void> {
    if (this.#wanted === null) this.#enter("off");
    else if (this.standing !== "fetching") await this.#fetch();
  }

  async turnOn(): Promise<void> {
    this.#want("");
    void navigator.storage?.persist?.(); // browsers may else clear it away
    await this.look();
  }

  /** Drops what only this has fetched; what the reader has opened stays. */
  async turnOff(): Promise<void> {
    this.#want(null);
    await this.kept.dropWhole();
    this.#enter("off");
  }

  /** The version that was completed last, "" if none was yet; null if it is not wanted. */
  get #wanted(): string | null {
    return localStorage.getItem(this.#key);
  }

  #want(version: string | null): void {
    if (version === null) localStorage.removeItem(this.#key);
    else localStorage.setItem(this.#key, version);
  }

  get #key(): string {
    return wantedKey(this.kept.scope);
  }

  async #fetch(): Promise<void> {
    const missing = await this.#missing();
    this.loaded = this.total - sum(missing);
    if (missing.length) this.#enter("fetching");
    try {
      await this.#bring(missing);
      if (this.#wanted === null) return;
      this.#want(this.version);
      this.#enter("complete");
    } catch (problem) {
      const isFull = problem instanceof DOMException && problem.name === "QuotaExceededError";
      this.#enter(isFull ? "no room" : "broken off");
    }
  }

  /** What has its content in its name is not fetched twice; the rest is, once for each build. */
  async #missing(): Promise<File[]> {
    const there = await this.kept.paths();
    const isComplete = this.#wanted === this.version;
    return this.#files.filter(
      ([path]) => !there.has(path) || !(isComplete || isNamedByContent(path)),
    );
  }

  /** Several at once, each as soon as another is there. Ends early when they are no longer wanted. */
  async #bring(missing: File[]): Promise<void> {
    const queue = missing.values();
    const bringOneByOne = async () => {
      for (const file of queue) if (this.#wanted !== null) await this.#keep(file);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, bringOneByOne));
  }

  /** no-store: the service worker does not take it for something that the reader opens. */
  async #keep([path, bytes]: File): Promise<void> {
    const address = this.kept.address(path);
    const response = await fetch(address, { cache: "no-store" });
    if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
    const { headers } = response;
    await this.kept.complete(
      address,
      new Response(response.body.pipeThrough(this.#counted(bytes)), { headers }),
    );
  }

  /** Fails if a file has another size: the host may have another build by now. */
  #counted(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    let size = 0;
    return new TransformStream({
      transform: (piece, line) => {
        size += piece.length;
        this.loaded += piece.length;
        this.dispatchEvent(new Event("changed"));
        line.enqueue(piece);
      },
      flush: () => {
        if (size !== bytes) throw new Error(`${size} of ${bytes} bytes`);
      },
    });
  }

  #enter(standing: Standing): void {
    this.standing = standing;
    this.dispatchEvent(new Event("changed"));
  }
}

function sum(files: File[]): number {
  return files.reduce((sum, [, bytes]) => sum + bytes, 0);
}
