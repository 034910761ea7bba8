/** True for a day that exists, written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Engines may roll 30 February over into March instead of refusing it.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
