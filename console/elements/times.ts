/** Times are shown in the time zone of the installation, which the session names: that of days on which rows are due. */

/** Undefined: the browser's, as long as nobody is signed in. */
let zone: string | undefined;
const formats = new Map<string, Intl.DateTimeFormat>();

export function showTimesIn(timeZone: string): void {
  zone = timeZone;
  formats.clear();
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const EXACT_TIME = { ...TIME, second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const DAY_AND_YEAR = { ...DAY, year: 'numeric' } as const;

/** The time; with its day, unless that is today. */
export function formatInstant(instant: string, now: number, isExact = false): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  const time = formatted(at, isExact ? EXACT_TIME : TIME);
  const [day, today] = [dayAt(at), dayAt(now)];
  if (day === today) return time;
  return `${formatted(at, day.slice(0, 4) === today.slice(0, 4) ? DAY : DAY_AND_YEAR)}, ${time}`;
}

/** With its day, always. */
export function formatMoment(atMs: number): string {
  return formatted(atMs, { ...DAY, ...TIME });
}

/** YYYY-MM-DD. */
export function dayAt(atMs: number): string {
  return formatted(atMs, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv');
}

/** `2026-01-05 09:00:07 UTC`. */
export function formatUtc(instant: string): string {
  return `${instant.slice(0, 19).replace('T', ' ')} UTC`;
}

const daysOfYears = new Intl.DateTimeFormat(undefined, DAY_AND_YEAR);

/** A calendar day, which has no zone. */
export function formatDay(day: string): string {
  const at = new Date(`${day.slice(0, 10)}T12:00:00`);
  return Number.isNaN(at.getTime()) ? day : daysOfYears.format(at);
}

function formatted(atMs: number, options: Intl.DateTimeFormatOptions, locale?: string): string {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  const format = known ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  if (known === undefined) formats.set(key, format);
  return format.format(atMs);
}
