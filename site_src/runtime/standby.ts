// Whether a device has room for a second Python.

import { isConnectionSparse } from "./connection";

const LITTLE = 2; // GB of memory

/** deviceMemory: GB, told by some browsers on secure origins. */
export function mayStandBy(): boolean {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return !(deviceMemory && deviceMemory <= LITTLE) && !isConnectionSparse();
}
