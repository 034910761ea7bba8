import type { z } from 'zod';
import { type Schedule, scheduleSchema } from './schedule.ts';
import type { ScheduleProblem } from './schedule-problems.ts';

/** Longer values are cut where they are shown. */
const MAX_SHOWN = 60;

/** A schedule as a file or a program gives it, or everything in it that has not the form of its kind. */
export function readSchedule(content: unknown): { schedule: Schedule } | { problems: ScheduleProblem[] } {
  const read = scheduleSchema.safeParse(content);
  if (read.success) return { schedule: read.data };
  return { problems: read.error.issues.flatMap((issue) => problemsOf(issue, content)) };
}

function problemsOf(issue: z.core.$ZodIssue, content: unknown): ScheduleProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'unknown_key',
      field: nameOf([...issue.path, key]),
      problem: 'such a schedule has no key of this name',
      fix: 'remove it, or correct its name',
    }));
  }
  const value = valueAt(issue.path, content);
  return [
    {
      code: value === undefined ? 'missing_key' : 'wrong_value',
      field: nameOf(issue.path),
      problem: value === undefined ? 'it is missing' : `${shown(value)} is not accepted`,
      fix: issue.message,
    },
  ];
}

/** As people write it: `sources.0.min_order`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function valueAt(path: readonly PropertyKey[], content: unknown): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    content,
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
