// What came before the service worker did, on the first visit: asked for once more, out of the
// browser's cache. Now it passes by the worker, which keeps it.

import { interpreter } from "../runtime/interpreter";
import { type Kept, scripts, startOfPython } from "./kept";
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

/** Once Python is there, cells are to work offline as well: with the scripts that a page fetches late,
 * such as the editor, and with a Python that was quicker than the service worker. */
export function handOverCells(kept: Kept): void {
  const whenReady = async () => {
    if (interpreter.phase !== "ready") return;
    interpreter.removeEventListener("phase", whenReady);
    const build = await kept.build(ours);
    if (!build) return;
    const isImage =
      (performance.getEntriesByName("python").at(-1) as PerformanceMark).detail === "image";
    const there = await kept.paths();
    for (const path of [...scripts(build), ...(isImage ? startOfPython(build) : [])])
      if (!there.has(path)) askAgain(kept.address(path));
  };
  interpreter.addEventListener("phase", whenReady);
  void whenReady();
}

function askAgain(address: string): void {
  if (address.startsWith(location.origin)) fetch(address, { cache: "force-cache" }).catch(() => {});
}
