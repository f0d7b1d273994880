// Registers the service worker that a page names. A page that names none removes ours: another build
// of this site, at the same address, may have left it.

import { handOver, handOverPython } from "./hand-over";
import { Kept } from "./kept";
import { renewIfOutdated } from "./one-build";

const SCRIPT = "attention-live-worker.js";

const named = document.querySelector<HTMLMetaElement>("meta[name=service-worker]")?.content;

/** What is kept, once a worker keeps it. Null where there is none, or the browser refuses it: in
 * some private windows, where storage is blocked, or without a secure origin. */
export const kept: Promise<Kept | null> = loaded()
  .then(() => (named ? register(new URL(named, location.href)) : remove()))
  .catch(() => null);

/** The page comes first. */
async function loaded(): Promise<void> {
  if (document.readyState !== "complete")
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
}

async function register(script: URL): Promise<Kept> {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "gone") void renewIfOutdated();
  });
  const controlled = new Promise((resolve) =>
    serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
  );
  const isFirst = !serviceWorker.controller;
  await serviceWorker.register(script);
  const kept = new Kept((await serviceWorker.ready).scope);
  await kept.visited(); // rejects where storage is blocked
  if (isFirst)
    void controlled.then(() => {
      handOver();
      void handOverPython(kept);
    });
  return kept;
}

async function remove(): Promise<null> {
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing, scope } = registration;
    const worker = active ?? waiting ?? installing;
    if (!worker?.scriptURL.endsWith(`/${SCRIPT}`) || !location.href.startsWith(scope)) continue;
    await registration.unregister();
    await new Kept(scope).forget();
  }
  return null;
}
