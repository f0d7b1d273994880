// The reader's connection, where the browser tells.

interface Connection {
  saveData?: boolean;
  effectiveType?: string; // "slow-2g", "2g", "3g" or "4g"
}

/** Whether megabytes are dear or slow here: then nothing is fetched until Run asks for it. */
export function isConnectionSparse(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return Boolean(connection?.saveData || /[23]g$/.test(connection?.effectiveType ?? ""));
}
