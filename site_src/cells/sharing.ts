// Share: the address of a cell, with the code of edited cells in it where there are any.

import { copied } from "./clipboard";

export const MARK = "#code="; // before what an address carries

const LONG = 8_000; // characters; what some mail and chat programs cut

interface Sharable {
  readonly name: string;
  readonly code: string;
}

/** Puts the link on the clipboard and says what became of it. edited: the cells that go with it. */
export async function share(
  cell: Element & Sharable,
  edited: readonly Sharable[],
): Promise<string> {
  const link = edited.length ? carrying(cell, edited) : Promise.resolve(address(`#${cell.id}`));
  const done = await copied(link).catch(() => false);
  const made = await link.catch(() => null);
  if (!made) return "The link could not be made: a part of this site did not load. Try again.";
  if (!done) return "The browser does not allow copying here.";
  return said(made.length, edited.length);
}

function said(length: number, edited: number): string {
  if (!edited) return "Copied the link to this cell.";
  if (length <= LONG) return "Copied a link with your edited code in it. Nothing was sent.";
  const size = length.toLocaleString("en");
  return `Copied a link with your edited code in it: ${size} characters, which some programs cut.`;
}

async function carrying(cell: Sharable, edited: readonly Sharable[]): Promise<string> {
  const { encode } = await import("./share-link");
  const edits = Object.fromEntries(edited.map(({ name, code }) => [name, code]));
  return address(MARK + (await encode({ cell: cell.name, edits })));
}

function address(fragment: string): string {
  return location.origin + location.pathname + location.search + fragment;
}
