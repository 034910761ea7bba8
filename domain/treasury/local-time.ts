import { addDays } from '../calendar-date.ts';

/** Local times of a time zone, by the zone data of the JavaScript engine. Workflows must not use it: the data changes. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** An IANA name such as `Europe/Berlin`, or `UTC`. Not an offset: it knows no daylight saving. */
export function isTimeZone(zone: string): boolean {
  if (zone !== 'UTC' && !/^[A-Za-z]+(\/[A-Za-z0-9_+-]+)+$/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The local date (YYYY-MM-DD) and time (HH:MM) of an instant. */
export function localTimeOf(instantMs: number, zone: string): { date: string; time: string } {
  const local = new Date(instantMs + offsetMs(instantMs, zone)).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/**
 * The instants at which clocks of the zone show this, earliest first: one; none, when the clocks skip the time; or two, when
 * they show it twice. `time`: HH:MM.
 */
export function instantsOf(date: string, time: string, zone: string): number[] {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  // A day before and after, one of the two offsets is in force, unless clocks are changed twice within two days.
  const offsets = new Set([offsetMs(asUtc - DAY_MS, zone), offsetMs(asUtc + DAY_MS, zone)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((instant) => instant + offsetMs(instant, zone) === asUtc)
    .sort((one, other) => one - other);
}

/** The first of so many days on which clocks skip the time; null: none. */
export function dateWithoutTime(
  time: string,
  zone: string,
  { from, days }: { from: string; days: number },
): string | null {
  for (let day = 0; day < days; day++) {
    const date = addDays(from, day);
    if (instantsOf(date, time, zone).length === 0) return date;
  }
  return null;
}

/** Local time less UTC, in whole minutes. */
function offsetMs(instantMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const local = Date.parse(
    `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:00Z`,
  );
  return local - Math.floor(instantMs / MINUTE_MS) * MINUTE_MS;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  });
  formats.set(zone, format);
  return format;
}
