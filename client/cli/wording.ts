import { actionSentence, type StateTexts, withoutMarkdown } from '../../domain/state-table.ts';

/** How numbers, amounts, times and states are written for people. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function count(number: number): string {
  return String(Math.trunc(number)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 row`, `2 rows`. */
export function counted(number: number, singular: string, plural = `${singular}s`): string {
  return `${count(number)} ${number === 1 ? singular : plural}`;
}

/** A decimal string with separators for thousands. For display only: programs get the string itself. */
export function money(amount: string): string {
  const [, sign = '', whole = amount, decimals = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${decimals}`;
}

/** Two units at most: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.ceil(whole / MINUTE)} min`;
  if (whole < DAY) return pair(Math.ceil(whole / MINUTE), MINUTE, 'h', 'min');
  return pair(Math.ceil(whole / HOUR), DAY / HOUR, 'd', 'h');
}

function pair(units: number, perLarger: number, larger: string, smaller: string): string {
  const rest = units % perLarger;
  const first = `${Math.floor(units / perLarger)} ${larger}`;
  return rest === 0 ? first : `${first} ${rest} ${smaller}`;
}

/** `2026-01-05 09:00 UTC`. */
export function moment(instant: string): string {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(instant) ? `${instant.slice(0, 16).replace('T', ' ')} UTC` : instant;
}

/** `2026-01-05 09:00:07.123`, in UTC. */
export function exactMoment(instant: string): string {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(instant) ? instant.replace('T', ' ').replace('Z', '') : instant;
}

/** A state's name as words: `in_approval` is `in approval`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** What a state means, and what a person does about it, in lines of their own. */
export function stateLines(of: StateTexts): string[] {
  const action = actionSentence(of);
  return [of.meaning, ...(action === null ? [] : [`To do: ${action}`])].map(withoutMarkdown);
}
