/** A size as readers see it: 18.3 for 18 300 000 bytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
