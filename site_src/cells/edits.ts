// Edits of a cell, kept in the reader's browser: they survive leaving the page and coming back.

/** What stands in place of the printed code. Of two, the one that came with a link is shown. */
export interface Kept {
  readonly own: string | null; // the reader's, kept for good
  readonly shared: string | null; // from a link, kept as long as the tab is open
}

export const NOTHING: Kept = { own: null, shared: null };

interface Stored {
  printed: string; // the code that was edited; if the page now prints another, the edit is void
  code: string;
}

// An edit that the browser will not store lives as long as the document.
const unstored = new Map<string, string>();

export class Edits {
  #kept: Kept;
  /** Whether the latest edit will be there after a reload. */
  safe = true;

  constructor(
    readonly page: string,
    readonly name: string,
    readonly printed: string,
  ) {
    this.#kept = {
      own: this.#read("cell", () => localStorage),
      shared: this.#read("shared cell", () => sessionStorage),
    };
  }

  get kept(): Kept {
    return this.#kept;
  }

  get code(): string {
    return this.#kept.shared ?? this.#kept.own ?? this.printed;
  }

  keep(kept: Kept): void {
    this.#kept = kept;
    const own = this.#write("cell", () => localStorage, kept.own);
    const shared = this.#write("shared cell", () => sessionStorage, kept.shared);
    this.safe = own && shared;
  }

  /** Takes what was typed. It never takes the place of an edit that it was not typed into. */
  type(code: string): void {
    const { own, shared } = this.#kept;
    if (shared !== null && own !== null) this.keep({ own, shared: code });
    else this.keep({ own: code === this.printed ? null : code, shared: null });
  }

  #key(kind: string): string {
    return `${kind} ${this.page} ${this.name}`;
  }

  #read(kind: string, storage: () => Storage): string | null {
    try {
      const text = unstored.get(this.#key(kind)) ?? storage().getItem(this.#key(kind));
      const stored = JSON.parse(text ?? "null") as Stored | null;
      return stored?.printed === this.printed ? stored.code : null;
    } catch {
      return null;
    }
  }

  #write(kind: string, storage: () => Storage, code: string | null): boolean {
    const key = this.#key(kind);
    unstored.delete(key);
    const text = JSON.stringify({ printed: this.printed, code });
    try {
      if (code === null) storage().removeItem(key);
      else storage().setItem(key, text);
      return true;
    } catch {
      if (code !== null) unstored.set(key, text);
      return code === null;
    }
  }
}
