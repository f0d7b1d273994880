// A reader who comes back: Python's files are in the browser, so it may start before anyone asks.

import { interpreter } from "../runtime/interpreter";
import { isThereRoom } from "../runtime/room";

const NOTE = "python"; // in the local storage: the worker in which Python has started here
const WAIT = 1000; // milliseconds, in browsers that do not tell when they are idle
const worker = new URL(WORKER, import.meta.url);

const isReturning = attempt(() => localStorage.getItem(NOTE)) === worker.pathname;

interpreter.addEventListener("phase", () => {
  if (interpreter.phase === "ready") attempt(() => localStorage.setItem(NOTE, worker.pathname));
});

/** On a later visit, starts Python once the element is in view and the page has nothing to do. */
export function startOnReturn(element: HTMLElement): void {
  if (!isReturning) return;
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    whenIdle(() => void start());
  });
  observer.observe(element);
}

async function start(): Promise<void> {
  if (interpreter.phase === "off" && isThereRoom() && (await isKept())) interpreter.start();
}

/** Whether the browser still has what it fetched then, as far as the first of the files tells. */
async function isKept(): Promise<boolean> {
  const kept = fetch(worker, { cache: "only-if-cached", mode: "same-origin" });
  return kept.then(({ ok }) => ok).catch(() => false);
}

function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(act);
  else setTimeout(act, WAIT);
}

/** Storage may be barred; then every visit is a first one. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
