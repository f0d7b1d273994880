// Whether a device has room for a second Python.

const LITTLE = 2; // GB of memory

interface Device {
  deviceMemory?: number; // GB, told by some browsers on secure origins
  connection?: { saveData?: boolean };
}

export function mayStandBy(): boolean {
  const { deviceMemory, connection } = navigator as Device;
  return !(deviceMemory && deviceMemory <= LITTLE) && !connection?.saveData;
}
