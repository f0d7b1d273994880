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
  #underWay: AbortController | null = null; // gives up what is being fetched

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
    if (this.#wanted === null) this.#leave();
    else if (!this.#underWay) await this.#fetch();
  }

  get isOn(): boolean {
    return this.standing !== "off" && this.standing !== "no room";
  }

  async turnOn(): Promise<void> {
    if (!this.#want("")) return this.#enter("no room");
    void navigator.storage?.persist?.(); // browsers may else clear it away
    await this.look();
  }

  /** Drops what only this has fetched; what the reader has opened stays. */
  async turnOff(): Promise<void> {
    this.#want(null);
    this.#leave();
    await this.#drop();
  }

  #leave(): void {
    this.#underWay?.abort();
    this.#underWay = null;
    this.#enter("off");
  }

  /** After all that is under way has ended, in whichever tab. */
  #drop(): Promise<void> {
    return navigator.locks.request(this.#key, async () => {
      if (this.#wanted === null) await this.kept.dropWhole();
    });
  }

  /** The version that was completed last, "" if none was yet; null if it is not wanted. */
  get #wanted(): string | null {
    return localStorage.getItem(this.#key);
  }

  /** False if the browser has no room for as much as that. */
  #want(version: string | null): boolean {
    try {
      if (version === null) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, version);
      return true;
    } catch {
      return false;
    }
  }

  get #key(): string {
    return wantedKey(this.kept.scope);
  }

  /** One tab at a time: what it has brought the others need not. */
  async #fetch(): Promise<void> {
    const underWay = new AbortController();
    this.#underWay = underWay;
    const { signal } = underWay;
    const fetched = this.#begin().then(() =>
      navigator.locks.request(this.#key, { signal }, async () =>
        this.#bring(await this.#begin(), underWay),
      ),
    );
    const standing = await fetched.then(() => "complete" as const, brokenOff);
    if (this.#underWay !== underWay || this.#wanted === null) return; // it is not wanted any more
    this.#underWay = null;
    if (standing === "complete") this.#want(this.version);
    if (standing === "no room") this.#want(null);
    this.#enter(standing);
    if (standing === "no room") await this.#drop();
  }

  /** What has to come. */
  async #begin(): Promise<File[]> {
    const missing = await this.#missing();
    this.loaded = this.total - sum(missing);
    if (missing.length && this.#underWay) this.#enter("fetching");
    return missing;
  }

  /** What has its content in its name is not fetched twice; the rest is, once for each build. */
  async #missing(): Promise<File[]> {
    const there = await this.kept.paths();
    const isComplete = this.#wanted === this.version;
    return this.#files.filter(
      ([path]) => !there.has(path) || !(isComplete || isNamedByContent(path)),
    );
  }

  /** Several at once, each as soon as another is there; all of them end where one fails. */
  async #bring(missing: File[], underWay: AbortController): Promise<void> {
    const queue = missing.values();
    const bringOneByOne = async () => {
      for (const file of queue) await this.#keep(file, underWay.signal);
    };
    const all = Array.from({ length: AT_ONCE }, bringOneByOne);
    try {
      await Promise.all(all);
    } catch (problem) {
      underWay.abort();
      await Promise.allSettled(all);
      throw problem;
    }
  }

  /** no-store: the service worker does not take it for something that the reader opens. */
  async #keep([path, bytes]: File, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const address = this.kept.address(path);
    const response = await fetch(address, { cache: "no-store", signal });
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

function brokenOff(problem: unknown): "no room" | "broken off" {
  const isFull = problem instanceof DOMException && problem.name === "QuotaExceededError";
  return isFull ? "no room" : "broken off";
}

function sum(files: File[]): number {
  return files.reduce((sum, [, bytes]) => sum + bytes, 0);
}
