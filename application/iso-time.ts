/** ISO 8601, UTC; null stays null. */
export function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

const DAY_MS = 86_400_000;

/** Where a range ends that `to` names: a day, YYYY-MM-DD, is included, a time is not. */
export function endOf(time: string | null): Date | null {
  if (time === null) return null;
  return time.length === 'YYYY-MM-DD'.length ? new Date(Date.parse(time) + DAY_MS) : new Date(time);
}
