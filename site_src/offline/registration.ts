// Registers the service worker that a page names. A page that names none removes ours: another build
// of this site, at the same address, may have left it.

import { handOver, handOverCells } from "./hand-over";
import { forgetAll, Kept } from "./kept";
import { ours, renewIfOutdated } from "./one-build";
import { wantedKey } from "./whole-site";

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
  const inControl = serviceWorker.controller ? Promise.resolve() : changed().then(handOver);
  await serviceWorker.register(script);
  const { scope, active } = await serviceWorker.ready;
  const kept = new Kept(scope);
  await kept.visited(); // rejects where storage is blocked
  void inControl.then(() => handOverCells(kept));
  active?.postMessage(ours); // what only other builds need may go
  return kept;
}

/** The first worker takes control of the page that registered it. */
async function changed(): Promise<void> {
  await new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
  );
}

async function remove(): Promise<null> {
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const { active, waiting, installing, scope } = registration;
    const worker = active ?? waiting ?? installing;
    if (!worker?.scriptURL.endsWith(`/${SCRIPT}`) || !location.href.startsWith(scope)) continue;
    await registration.unregister();
    localStorage.removeItem(wantedKey(scope));
  }
  await forgetAll(location.href); // each time: until the page is left, a worker goes on keeping
  return null;
}
