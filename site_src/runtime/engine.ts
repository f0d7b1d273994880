// One worker with its Python, as the page knows it; however it dies, the page hears `broken`.

import type { FromWorker, Parts, ToWorker } from "./protocol";

const HEARTBEAT = 1000; // milliseconds
const CTRL_C = 2; // SIGINT

let count = 0;

export class Engine {
  phase: "loading" | "ready" | "unavailable" = "loading";
  loaded = 0; // bytes
  total = 0;
  receive: (message: FromWorker) => void = () => {};
  readonly #worker = new Worker(new URL(WORKER, import.meta.url), { type: "module" });
  readonly #interrupts = sharedPlace();
  readonly #life = `python ${performance.timeOrigin} ${Math.random()} ${++count}`;
  readonly #ended = new AbortController();
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #running: number | null = null;

  /** afresh: past the browser's cache. parts: what an earlier engine left. */
  constructor(afresh: boolean, parts: Parts | null) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#died("its worker could not be loaded");
    };
    const [interrupts, life] = [this.#interrupts, this.#life];
    this.send({ type: "start", afresh, parts, interrupts, life });
  }

  send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Whether a run can be stopped while its variables stay. */
  get interruptible(): boolean {
    return this.#interrupts !== null;
  }

  /** Raises KeyboardInterrupt in what runs now. */
  interrupt(): void {
    if (!this.#interrupts) return;
    Atomics.store(this.#interrupts, 0, CTRL_C);
    Atomics.notify(this.#interrupts, 0);
  }

  /** Ends the worker, whatever it is doing: no code can prevent that. Nothing is heard of it later. */
  end(): void {
    clearInterval(this.#heartbeat);
    this.#ended.abort();
    this.receive = () => {};
    this.#worker.terminate();
  }

  #take(message: FromWorker): void {
    if (message.type === "progress") {
      this.loaded = message.loaded;
      this.total = message.total;
    } else if (message.type === "ready") {
      this.phase = "ready";
      this.#watchLife();
    } else if (message.type === "unavailable") this.phase = "unavailable";
    else if (message.type === "started") this.#began(message.run);
    else if (message.type === "finished") this.#finished();
    if (message.type !== "pong") this.receive(message);
    // It answers only between two runs, after what it has to say at the end of one.
    else if (message.run === this.#running) this.receive({ type: "broken" });
  }

  #began(run: number): void {
    this.#running = run;
    this.#heartbeat = setInterval(() => this.send({ type: "ping", run }), HEARTBEAT);
  }

  #finished(): void {
    this.#running = null;
    clearInterval(this.#heartbeat);
  }

  /** The worker's lock comes to the page when the worker is no more. */
  #watchLife(): void {
    const { signal } = this.#ended;
    navigator.locks?.request(this.#life, { signal }, () => this.#died("")).catch(() => {});
  }

  #died(beforeItWasReady: string): void {
    if (this.phase === "ready") this.receive({ type: "broken" });
    else if (this.phase === "loading") {
      this.phase = "unavailable";
      this.receive({ type: "unavailable", reason: beforeItWasReady });
    }
  }
}

/** One number that page and worker share, where the host has isolated the page from other sites. */
function sharedPlace(): Int32Array | null {
  if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer === "undefined") return null;
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
