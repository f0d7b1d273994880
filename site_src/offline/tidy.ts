// Takes away what nobody needs any more.

import { isNamedByContent, type Kept, listOf, versionOf } from "./kept";

/** Drops pages, and what else keeps its name, that the present build no longer has. */
export async function dropWhatIsGone(kept: Kept, present: string): Promise<void> {
  const files = await filesOf(kept, present);
  for (const { store, request, path } of await entries(kept))
    if (files && !isNamedByContent(path) && !files.has(path)) await store.delete(request);
}

/** Drops files of builds of which no page is kept. open: the build of the one page that is open. */
export async function dropWhatIsUnneeded(kept: Kept, open: string): Promise<void> {
  const all = await entries(kept);
  if (all.filter(({ path }) => isList(path)).length < 2) return;
  const pages = await Promise.all(all.filter(({ path }) => isPage(path)).map(version));
  const lists = await Promise.all([...new Set([open, ...pages])].map((one) => filesOf(kept, one)));
  if (lists.includes(null)) return; // next time
  const isNeeded = (path: string) => lists.some((list) => list?.has(path));
  for (const { store, request, path } of all) if (!isNeeded(path)) await store.delete(request);
}

interface Entry {
  store: Cache;
  request: Request;
  path: string;
}

async function entries(kept: Kept): Promise<Entry[]> {
  const stores = [await kept.visited(), await kept.whole()];
  const found = stores.map(async (store) =>
    (await store.keys()).map((request) => ({ store, request, path: kept.path(request.url) })),
  );
  return (await Promise.all(found)).flat();
}

function isPage(path: string): boolean {
  return path === "" || path.endsWith("/") || path.endsWith(".html");
}

function isList(path: string): boolean {
  return path.startsWith(listOf("").replace(".json", ""));
}

/** The version of the build that a kept page is of. */
async function version({ store, request }: Entry): Promise<string> {
  const page = await store.match(request);
  return (page && versionOf(await page.text())) ?? "";
}

/** All files of a build, with its list; null if that cannot be had. */
async function filesOf(kept: Kept, version: string): Promise<Set<string> | null> {
  const build = await kept.build(version);
  return build && new Set([...Object.keys(build.whole), ...build.others, listOf(version)]);
}
