/** The day of a time in milliseconds since the epoch, in UTC, as YYYY-MM-DD: rows are due on such days. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
