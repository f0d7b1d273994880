// What came before the service worker did, on the first visit: asked for once more, out of the
// browser's cache. Now it passes by the worker, which keeps it.

import { interpreter } from "../runtime/interpreter";
import { type Kept, startOfPython } from "./kept";
import { ours } from "./one-build";

/** The page and what it has loaded so far; what is under way follows when it is there. */
export function handOver(): void {
  const now = performance.now();
  askAgain(location.href);
  const observer = new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (startTime < now) askAgain(name);
  });
  observer.observe({ type: "resource", buffered: true });
}

/** What a Python was started from that the reader was quick to ask for: the page does not see what
 * that one's own worker fetches. */
export async function handOverPython(kept: Kept): Promise<void> {
  if (interpreter.phase === "off") return;
  while (interpreter.phase === "loading")
    await new Promise((resolve) => interpreter.addEventListener("phase", resolve, { once: true }));
  const build = await kept.build(ours);
  for (const path of build ? startOfPython(build) : []) askAgain(kept.address(path));
}

function askAgain(address: string): void {
  if (address.startsWith(location.origin)) fetch(address, { cache: "force-cache" }).catch(() => {});
}
