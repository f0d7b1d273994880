// Edited code as text for a link's fragment, which browsers send to no server.

/** The cell that was shared, and the code of all edited cells by their names. */
export interface Shared {
  cell: string;
  edits: Record<string, string>;
}

const DEFLATED = "d"; // the first letter says how the rest is written
const PLAIN = "p";
const LIMIT = 300_000; // bytes of code: far above any cell, far below what would fill a memory

export async function encode(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (!("CompressionStream" in globalThis)) return PLAIN + toBase64url(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return DEFLATED + toBase64url(await collected(stream));
}

/** Throws if the text is not one that encode has made. */
export async function decode(text: string): Promise<Shared> {
  if (text[0] !== PLAIN && text[0] !== DEFLATED) throw new Error("written in no way known here");
  const stream = new Blob([fromBase64url(text.slice(1))]).stream();
  const written = await collected(text[0] === PLAIN ? stream : inflated(stream));
  return checked(JSON.parse(new TextDecoder().decode(written)));
}

function inflated(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<BufferSource> {
  return stream.pipeThrough(new DecompressionStream("deflate-raw"));
}

function checked({ cell, edits }: Shared): Shared {
  const codes = Object.entries(edits);
  if (typeof cell !== "string" || !codes.length) throw new Error("no shared code");
  const lines = ([name, code]: [string, string]) => [name, code.replace(/\r\n?/g, "\n")];
  return { cell, edits: Object.fromEntries(codes.map(lines)) };
}

async function collected(stream: ReadableStream<BufferSource>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: BufferSource[] = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > LIMIT) throw new Error("too long");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64url(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
