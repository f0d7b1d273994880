// Which packing of Python's files this browser takes.

import type { Packing } from "./protocol";

/** The best that it can unpack. */
export const PACKING = (unpacks("brotli") ? "brotli" : "gzip") as Packing & CompressionFormat;

function unpacks(packing: Packing): boolean {
  try {
    return Boolean(new DecompressionStream(packing as CompressionFormat));
  } catch {
    return false;
  }
}
