// The format of an image: the stretches of memory in which a started Python differs from a fresh one.
//
//   4 numbers: magic, length of the header, number of stretches, bytes of them all
//   the header as JSON, filled up to a multiple of 4
//   for each stretch its start and its length, in bytes
//   the stretches, one after another
// Numbers are 32-bit, little-endian.

import type { Offsets } from "./layout";

export interface Header {
  build: string; // Pyodide's own name for its build
  fresh: number; // bytes in use before the stretches are laid over them
  print: string; // the fingerprint of these bytes afterwards
  memory: number; // bytes
  table: number; // places
  offsets: Offsets;
  objects: unknown; // of JavaScript, that Python holds: Pyodide's own record of them
}

const MAGIC = 0x314d_4950; // "PIM1"
const NUMBERS = 16; // bytes before the header
const BLOCK = 16; // bytes compared at a time
const GAP = 8; // blocks: shorter ones between two stretches are kept with them

/** fresh: memories before Python starts; where they differ from each other, the image has all. */
export function encode(header: Header, fresh: Uint8Array[], started: Uint8Array): Uint8Array {
  const stretches = differing(started, fresh);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const head = Math.ceil(text.length / 4) * 4;
  const total = stretches.reduce((sum, [, length]) => sum + length, 0);
  const bytes = new Uint8Array(NUMBERS + head + 8 * stretches.length + total);
  const view = new DataView(bytes.buffer);
  [MAGIC, text.length, stretches.length, total].forEach((n, i) => {
    view.setUint32(4 * i, n, true);
  });
  bytes.fill(0x20, NUMBERS, NUMBERS + head);
  bytes.set(text, NUMBERS);
  let at = NUMBERS + head;
  for (const [start, length] of stretches) {
    view.setUint32(at, start, true);
    view.setUint32(at + 4, length, true);
    at += 8;
  }
  for (const [start, length] of stretches) {
    bytes.set(started.subarray(start, start + length), at);
    at += length;
  }
  return bytes;
}

/** An image, ready to be laid over a fresh memory. Throws if it is none. */
export function decode(bytes: Uint8Array): { header: Header; lay(memory: Uint8Array): void } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("this is no image");
  const length = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  const text = new TextDecoder().decode(bytes.subarray(NUMBERS, NUMBERS + length));
  const list = NUMBERS + Math.ceil(length / 4) * 4;
  return {
    header: JSON.parse(text),
    lay: (memory) => {
      let from = list + 8 * count;
      for (let at = list; at < list + 8 * count; at += 8) {
        const size = view.getUint32(at + 4, true);
        memory.set(bytes.subarray(from, from + size), view.getUint32(at, true));
        from += size;
      }
    },
  };
}

/** Stretches of a memory in which one of the shorter others differs: [start, length] in bytes. */
function differing(memory: Uint8Array, others: Uint8Array[]): [number, number][] {
  const words = (bytes: Uint8Array) => new BigUint64Array(bytes.buffer, 0, memory.length / 8);
  const [ours, ...theirs] = [memory, ...others.map((other) => padded(other, memory.length))].map(
    words,
  );
  const differs = (i: number) => theirs.some((other) => other[i] !== ours?.[i]);
  const stretches: [number, number][] = [];
  let last: [number, number] | undefined;
  for (let start = 0; start < memory.length; start += BLOCK) {
    if (!differs(start / 8) && !differs(start / 8 + 1)) continue;
    if (last && start - (last[0] + last[1]) <= GAP * BLOCK) last[1] = start + BLOCK - last[0];
    else {
      last = [start, BLOCK];
      stretches.push(last);
    }
  }
  return stretches;
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(length);
  result.set(bytes);
  return result;
}
