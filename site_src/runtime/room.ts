// Whether device and connection are such that Python may be started before anyone asks for it.

import { isConnectionSparse } from "./connection";

const LITTLE = 2; // GB of memory

/** deviceMemory: GB, told by some browsers on secure origins. */
export function isThereRoom(): boolean {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return !(deviceMemory && deviceMemory <= LITTLE) && !isConnectionSparse();
}
