// Where things lie in a running Python: the same in every engine, so that one image fits them all.
//
// Memory holds numbers of functions in the WebAssembly table. Engines number them a little
// differently, so each shared object begins at a fixed place far beyond the last, and what is
// numbered otherwise than in the image is moved to the place that the image has for it.

/** What an image leans on inside Pyodide's Emscripten module; none of it is a public interface. */
export interface Inner {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  HEAP32: Int32Array;
  wasmTable: WebAssembly.Table;
  wasmTableMirror: unknown[];
  GOT: Record<string, WebAssembly.Global>; // global offset table: symbol → address or place
  newDSO(name: string, handle: undefined, state: "loading"): SharedObject;
  loadWebAssemblyModule(
    code: WebAssembly.Module | Uint8Array,
    flags: { loadAsync: false; nodelete: true; global: false },
    name: string,
    scope: object,
    handle: undefined,
  ): unknown;
  growMemory(bytes: number): unknown;
  _emscripten_get_sbrk_ptr(): number; // address of the end of the memory in use
  API: { config: { BUILD_ID: string }; restoreSnapshot(snapshot: Uint8Array): unknown };
  addRunDependency(name: string): void;
  removeRunDependency(name: string): void;
  __PyRuntime: number; // address
  __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number; // address of an offset into it, in bytes
}

interface SharedObject {
  global: boolean;
  exports: unknown;
}

/** The global offset table as it was recorded. */
export interface Offsets {
  names: string; // a digest of the sorted symbols
  values: number[]; // in their order
}

export const SITE_PACKAGES = "/lib/python3.14/site-packages";
const FIRST = 16_384; // place in the table of the first shared object; Python itself needs 12,000
const ROOM = 8_192; // places for each shared object

/** Loads shared objects before Python itself starts, when their addresses repeat.
 * paths: below site-packages, in the order of the codes. */
export function loadSharedObjects(
  python: Inner,
  paths: string[],
  codes: (WebAssembly.Module | Uint8Array)[],
): void {
  codes.forEach((code, index) => {
    const path = `${SITE_PACKAGES}/${paths[index]}`;
    fill(python.wasmTable, FIRST + index * ROOM);
    const object = python.newDSO(path, undefined, "loading");
    object.global = false;
    const flags = { loadAsync: false, nodelete: true, global: false } as const;
    object.exports = python.loadWebAssemblyModule(code, flags, path, {}, undefined);
  });
  fill(python.wasmTable, FIRST + codes.length * ROOM);
}

/** Makes a table as long as that. Throws if it is longer already. */
export function fill(table: WebAssembly.Table, length: number): void {
  table.grow(length - table.length);
}

export function offsetsOf(python: Inner): Offsets {
  const symbols = symbolsOf(python);
  return {
    names: fingerprintOf(symbols),
    values: symbols.map((symbol) => placeOf(python, symbol)),
  };
}

/** Moves functions to where an image expects them. Throws if there are others than it knows. */
export function adopt(python: Inner, offsets: Offsets): void {
  const symbols = symbolsOf(python);
  if (fingerprintOf(symbols) !== offsets.names)
    throw new Error("the image knows other symbols than this Python");
  const moved = symbols
    .map((symbol, index) => ({ symbol, from: placeOf(python, symbol), to: offsets.values[index] }))
    .filter((move): move is Move => move.from !== move.to)
    .map((move) => ({ ...move, code: python.wasmTable.get(move.from) }));
  for (const { symbol, to, code } of moved) {
    python.wasmTable.set(to, code);
    python.wasmTableMirror[to] = code;
    (python.GOT[symbol] as WebAssembly.Global).value = to;
  }
}

function symbolsOf(python: Inner): string[] {
  return Object.keys(python.GOT).sort();
}

function fingerprintOf(symbols: string[]): string {
  return fingerprint(new TextEncoder().encode(symbols.join("\n")));
}

interface Move {
  symbol: string;
  from: number;
  to: number;
}

/** The index, in 32-bit words, of the one pointer into the table that each engine sets for itself. */
export function trampolineIndex(python: Inner): number {
  const offset = python.HEAP32[python.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2] as number;
  return (python.__PyRuntime + offset) >>> 2;
}

function placeOf(python: Inner, symbol: string): number {
  return (python.GOT[symbol] as WebAssembly.Global).value | 0;
}

/** The end of the memory in use, in bytes. */
export function topOf(python: Inner): number {
  return python.HEAPU32[python._emscripten_get_sbrk_ptr() >>> 2] as number;
}

/** The fingerprint of memory up to some byte, without the one word that each engine has of its own. */
export function printOf(python: Inner, end: number): string {
  const [index, words] = [trampolineIndex(python), python.HEAP32];
  const own = words[index] as number;
  words[index] = 0;
  const print = fingerprint(python.HEAPU8.subarray(0, end));
  words[index] = own;
  return print;
}

/** A quick digest that tells two memories apart; no protection against anyone's intent. */
export function fingerprint(bytes: Uint8Array): string {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let hash = 0x811c9dc5 ^ bytes.length; // FNV-1a, a word at a time
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] as number), 0x01000193);
  for (let i = words.length << 2; i < bytes.length; i++)
    hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return (hash >>> 0).toString(16);
}
