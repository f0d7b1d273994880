// The service worker: keeps what is visited, answers without network, and isolates pages.

import { isolated } from "./isolated";
import { isNamedByContent, Kept, listOf, versionOf } from "./kept";
import { dropWhatIsGone, dropWhatIsUnneeded } from "./tidy";

declare const self: ServiceWorkerGlobalScope;

const PATIENCE = 4000; // milliseconds until a kept page is shown in place of one that does not come
const kept = new Kept(self.registration.scope);
const explanation = kept.address(EXPLANATION);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropWhatIsGone(kept, BUILD)])),
);
self.addEventListener("message", (event) => event.waitUntil(opened(event.data)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const ours = request.method === "GET" && request.url.startsWith(kept.scope);
  if (!ours || request.cache === "no-store") return;
  event.respondWith(answer(event));
});

/** The page that explains, with all that it consists of, and the list of this build's files. */
async function install(): Promise<void> {
  const page = await fetched(explanation);
  const html = await page.clone().text();
  const links = [...html.matchAll(/<(?:link|script)\b[^>]*\b(?:href|src)="([^"]+)"/g)];
  const addresses = links.map(([, link]) => new URL(link as string, explanation).href);
  const parts = addresses.filter((address) => isNamedByContent(kept.path(address)));
  for (const address of new Set([kept.address(listOf(BUILD)), ...parts]))
    if (!(await kept.find(address))) await kept.keep(address, await fetched(address));
  await kept.keep(explanation, page);
}

/** Rejects if the host has no such file. What the page has loaded is in the browser's cache. */
async function fetched(address: string): Promise<Response> {
  const cache = isNamedByContent(kept.path(address)) ? "force-cache" : "no-cache";
  const response = await fetch(address, { cache });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

/** A page has loaded; version: of its build. Other pages that are open may be of other builds. */
async function opened(version: string): Promise<void> {
  if (version !== BUILD) await self.registration.update().catch(() => {}); // browsers take their time
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = windows.filter(({ url }) => url.startsWith(kept.scope));
  if (ours.length === 1) await dropWhatIsUnneeded(kept, version);
}

async function answer(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const path = kept.path(request.url);
  const found = await kept.find(kept.address(path)).catch(() => undefined); // storage may be refused
  const old = found && isolated(found.response);
  if (old && isNamedByContent(path) && !wantsAfresh(request)) {
    // What the reader uses stays, also if the whole site is no longer wanted.
    if (!found.wasOpened) event.waitUntil(kept.keep(kept.address(path), old.clone()));
    return old;
  }
  const answered = fromNetwork(event, path);
  event.waitUntil(answered.catch(() => {})); // also if a kept page is shown meanwhile
  try {
    return await (old ? inTime(answered, old, request) : answered);
  } catch (problem) {
    if (request.mode !== "navigate") throw problem;
    return Response.redirect(`${explanation}?page=${encodeURIComponent(path)}`);
  }
}

/** Where a copy was bad: past what is kept. */
function wantsAfresh({ cache, headers }: Request): boolean {
  return cache === "reload" || headers.get("cache-control") === "no-cache";
}

/** The host's answer, or the kept one if the host is not there, not well or not quick. */
function inTime(answered: Promise<Response>, old: Response, request: Request): Promise<Response> {
  const good = answered.then(
    (response) => (response.status < 500 ? response : old),
    () => old,
  );
  if (wantsAfresh(request)) return good;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(old), PATIENCE));
  return Promise.race([good, late]);
}

async function fromNetwork(event: FetchEvent, path: string): Promise<Response> {
  const response = isolated(await fetch(event.request));
  if (response.status === 200) {
    const afresh = wantsAfresh(event.request);
    const keeping = keep(path, response.clone()).catch(() => (afresh ? forget(path) : undefined));
    event.waitUntil(keeping); // there may be no room
    if (afresh) await keeping; // what is asked next must not find the bad copy
  } else if (response.status === 404) event.waitUntil(missed(path));
  return response;
}

async function keep(path: string, response: Response): Promise<void> {
  if (response.headers.get("content-type")?.startsWith("text/html"))
    await keepListOf(await response.clone().text());
  await kept.keep(kept.address(path), response);
}

/** A page's build may be another than this worker's: its list says what the page needs. */
async function keepListOf(html: string): Promise<void> {
  const version = versionOf(html);
  const list = version && kept.address(listOf(version));
  if (list && !(await kept.find(list))) await kept.keep(list, await fetched(list));
}

async function forget(path: string): Promise<void> {
  for (const store of [await kept.visited(), await kept.whole()])
    await store.delete(kept.address(path));
}

/** A page that is gone is no longer kept; a file that is gone may be of a build that is gone. */
async function missed(path: string): Promise<void> {
  if (!isNamedByContent(path)) await forget(path);
  else for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage("gone");
}
