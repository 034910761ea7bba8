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

const DAY_MS = 86_400_000;

/** The date so many days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return dayOf(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

/** How many days later `to` is; negative if it is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** 0 is Sunday, 6 Saturday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}
