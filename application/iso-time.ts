/** ISO 8601, UTC; null stays null. */
export function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
