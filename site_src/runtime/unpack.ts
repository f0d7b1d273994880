// Unpacks Zstandard: the best packing that is quick to unpack, and of which browsers have none.

import { ZSTDDecoder } from "zstddec";

const decoder = new ZSTDDecoder();
const ready = decoder.init(); // no await: WebKit lets a module's second importer in before its end
ready.catch(() => {});

/** size: bytes of the content. Rejects if it cannot be unpacked. */
export async function unpack(packed: Uint8Array, size: number): Promise<Uint8Array<ArrayBuffer>> {
  await ready;
  return decoder.decode(packed, size) as Uint8Array<ArrayBuffer>;
}
