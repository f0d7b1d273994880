// What is kept in the browser, as the page and its service worker both see it: two stores.

/** The files of a build by their addresses below the site's: what offline reading needs, and others. */
export interface Build {
  whole: Record<string, number>; // bytes
  others: string[];
}

interface Found {
  response: Response;
  wasOpened: boolean; // by the reader
}

const NAME = "attention-live";
// Another content has another name: such a file never gets old.
const NAMED_BY_CONTENT = /^assets\/live\/|\.[0-9a-f]{8}\.min\.(js|css)$/;
const AS_KEPT = { ignoreSearch: true, ignoreVary: true };

export class Kept {
  constructor(readonly scope: string) {} // the site's address, with a slash at its end

  /** What the reader has opened. */
  visited(): Promise<Cache> {
    return caches.open(this.#name("visited"));
  }

  /** What was fetched because the whole site is wanted. */
  whole(): Promise<Cache> {
    return caches.open(this.#name("whole"));
  }

  async find(address: string): Promise<Found | undefined> {
    const opened = await (await this.visited()).match(address, AS_KEPT);
    if (opened) return { response: opened, wasOpened: true };
    const fetched = await (await this.whole()).match(address, AS_KEPT);
    return fetched && { response: fetched, wasOpened: false };
  }

  /** Keeps what was opened. It is in one store only. */
  async keep(address: string, response: Response): Promise<void> {
    await (await this.visited()).put(address, response);
    await (await this.whole()).delete(address);
  }

  /** Keeps what the whole site needs: in place of a copy that the reader has opened, if there is one. */
  async complete(address: string, response: Response): Promise<void> {
    const visited = await this.visited();
    const isVisited = await visited.match(address, AS_KEPT);
    await (isVisited ? visited : await this.whole()).put(address, response);
  }

  /** The paths of all that is kept. */
  async paths(): Promise<Set<string>> {
    const keys = [...(await (await this.visited()).keys()), ...(await (await this.whole()).keys())];
    return new Set(keys.map(({ url }) => this.path(url)));
  }

  async dropWhole(): Promise<void> {
    await caches.delete(this.#name("whole"));
  }

  #name(store: "visited" | "whole"): string {
    return `${NAME}: ${store}, ${this.scope}`;
  }

  /** An address without what does not change its content; below the site's own. */
  path(address: string): string {
    const { origin, pathname } = new URL(address);
    return (origin + pathname).slice(this.scope.length).replace(/(^|\/)index\.html$/, "$1");
  }

  address(path: string): string {
    return this.scope + path;
  }

  /** A build's list of files; null if it cannot be had. */
  async build(version: string): Promise<Build | null> {
    const address = this.address(listOf(version));
    const found = await this.find(address);
    const list = found?.response ?? (await fetch(address).catch(() => null));
    return list?.ok ? await list.json() : null;
  }
}

/** Empties the stores of the site that a page is of; its origin may have others. */
export async function forgetAll(page: string): Promise<void> {
  for (const name of await caches.keys()) {
    const [kind, scope] = name.split(", ");
    if (kind?.startsWith(`${NAME}: `) && scope && page.startsWith(scope)) await caches.delete(name);
  }
}

export function isNamedByContent(path: string): boolean {
  return NAMED_BY_CONTENT.test(path);
}

export function listOf(version: string): string {
  return `assets/live/build-${version}.json`;
}

/** The version of the build that a page is of. */
export function versionOf(html: string): string | null {
  return /<meta name="build" content="(\w+)">/.exec(html)?.[1] ?? null;
}

/** What pages run, each of them or only when it is used. */
export function scripts({ whole }: Build): string[] {
  return Object.keys(whole).filter((path) => /^assets\/live\/[^/]+\.js$/.test(path));
}

/** What Python starts from. */
export function startOfPython({ whole }: Build): string[] {
  const isNeeded = (path: string) => path.endsWith(".mjs") || path.endsWith(".zstd");
  return Object.keys(whole).filter((path) => path.includes("/python-") && isNeeded(path));
}

/** All that the whole site needs, pages last: a page is kept when it is complete. */
export function wholeSite({ whole }: Build): [path: string, bytes: number][] {
  return Object.entries(whole).sort(
    ([a], [b]) => Number(isNamedByContent(b)) - Number(isNamedByContent(a)),
  );
}
