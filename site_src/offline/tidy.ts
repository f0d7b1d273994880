// Takes away what no kept page needs any more.

import { isNamedByContent, type Kept, listOf, versionOf } from "./kept";

/** version: of the build that has just taken over. */
export async function tidy(kept: Kept, version: string): Promise<void> {
  const present = await filesOf(kept, version);
  if (!present) return; // next time
  const versions = new Set([version]);
  for (const [path, entry] of await entries(kept)) {
    if (isNamedByContent(path)) continue;
    if (!present.has(path)) await entry.remove();
    else if (entry.isPage) versions.add((await entry.version()) ?? version);
  }
  const lists = await Promise.all([...versions].map((one) => filesOf(kept, one)));
  if (lists.includes(null)) return;
  const isNeeded = (path: string) => lists.some((list) => list?.has(path));
  for (const [path, entry] of await entries(kept)) if (!isNeeded(path)) await entry.remove();
}

/** All files of a build, with its list; null if that cannot be had. */
async function filesOf(kept: Kept, version: string): Promise<Set<string> | null> {
  const build = await kept.build(version);
  return build && new Set([...Object.keys(build.whole), ...build.others, listOf(version)]);
}

interface Entry {
  isPage: boolean;
  version(): Promise<string | null>;
  remove(): Promise<boolean>;
}

async function entries(kept: Kept): Promise<[path: string, entry: Entry][]> {
  const found: [string, Entry][] = [];
  for (const store of [await kept.visited(), await kept.whole()])
    for (const request of await store.keys()) {
      const path = kept.path(request.url);
      const html = async () => (await store.match(request))?.text() ?? "";
      const entry: Entry = {
        isPage: /(^|\/|\.html)$/.test(path),
        version: async () => versionOf(await html()),
        remove: () => store.delete(request),
      };
      found.push([path, entry]);
    }
  return found;
}
