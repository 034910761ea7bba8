/** True for a date that exists, written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // JavaScript may read 30 February as a day in March instead of rejecting it.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The UTC day of a time in milliseconds since the epoch, as YYYY-MM-DD. Payments are due on such days. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
