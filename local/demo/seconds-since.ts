/** Seconds since a moment of `performance.now()`, to a tenth. */
export function secondsSince(startedAtMs: number): number {
  return Math.round((performance.now() - startedAtMs) / 100) / 10;
}
