import type { SandboxOptions } from '../defaults.ts';

const dayFirst = /^(\d{2})-(\d{2})-(\d{4})$/;
const yearFirst = /^(\d{4})-(\d{2})-(\d{2})$/;

function isDay(year: string | undefined, month: string | undefined, day: string | undefined): boolean {
  const iso = `${year ?? ''}-${month ?? ''}-${day ?? ''}`;
  const timeMs = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(iso);
}

/** Whether a text is a day of the calendar, written `DD-MM-YYYY`. */
export function isDayFirst(text: string): boolean {
  const [, day, month, year] = dayFirst.exec(text) ?? [];
  return isDay(year, month, day);
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export function isYearFirst(text: string): boolean {
  const [, year, month, day] = yearFirst.exec(text) ?? [];
  return isDay(year, month, day);
}

/** What a user's date must be in the format in use, or undefined when it is that. Contract: account 2.4. */
export function dateProblem(text: string, format: SandboxOptions['userDateFormat']): string | undefined {
  const good = { B: isDayFirst(text), A: isYearFirst(text), either: isDayFirst(text) || isYearFirst(text) }[format];
  if (good) return undefined;
  const form = { B: 'DD-MM-YYYY', A: 'YYYY-MM-DD', either: 'DD-MM-YYYY or YYYY-MM-DD' }[format];
  return `must be a day of the calendar, written ${form}`;
}
