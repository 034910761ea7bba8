import { hash32 } from '../core/seeded-random.ts';

/** Formats a time that is given as ISO 8601 in UTC with milliseconds. */
type TimeForm = (utc: string) => string;

/** Digits beyond the precision of the sandbox's clock, always the same for the same time. */
const microsecondsOf = (utc: string): string => String(hash32(utc) % 1000).padStart(3, '0');

const withoutZone = (utc: string): string => utc.slice(0, -1);
const withoutFraction = (utc: string): string => utc.replace(/\.\d+/, '');
const withMicroseconds = (utc: string): string => utc.replace(/Z$/, `${microsecondsOf(utc)}Z`);

function at(offset: string): TimeForm {
  const sign = offset.startsWith('-') ? -1 : 1;
  const minutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)));
  return (utc) => `${withoutZone(new Date(Date.parse(utc) + minutes * 60_000).toISOString())}${offset}`;
}

/** The contract defines no time format. All of these are ISO 8601; a time without a zone is UTC. */
const TIME_FORMS: readonly TimeForm[] = [
  (utc) => utc,
  withoutFraction,
  withMicroseconds,
  withoutZone,
  (utc) => withoutZone(withoutFraction(utc)),
  (utc) => withoutZone(withMicroseconds(utc)),
  at('+08:00'),
  (utc) => withoutFraction(at('+08:00')(utc)),
  at('-03:30'),
  (utc) => utc.replace(/Z$/, '+00:00'),
];

export function timeFormOf(seed: number): TimeForm {
  return TIME_FORMS[hash32(`${seed}/times`) % TIME_FORMS.length] ?? ((utc) => utc);
}

/** Whether a field is a time, by its name, and its value can be written in another format. */
export function isTime(name: string, value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /(At|Time)$|^date$/.test(name) &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)
  );
}
