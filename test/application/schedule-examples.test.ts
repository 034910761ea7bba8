import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSchedule } from '../../domain/treasury/schedule-form.ts';
import { scheduleProblems } from '../../domain/treasury/schedule-problems.ts';
import { TEST_CALENDARS } from '../helpers/test-calendars.ts';

const FOLDER = join(import.meta.dirname, '../../examples/treasury');
const FILES = readdirSync(FOLDER);

const SURROUNDINGS = {
  currencies: new Map([
    ['EUR', { decimalPlaces: 2 }],
    ['JPY', { decimalPlaces: 0 }],
    ['SGD', { decimalPlaces: 2 }],
    ['USD', { decimalPlaces: 2 }],
  ]),
  pairs: new Set(['EURUSD', 'EURJPY', 'SGDUSD']),
  ...TEST_CALENDARS,
  today: '2026-11-23',
};

const contentOf = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'));

describe('the examples of schedules', () => {
  test.each(FILES)('%s is in order', (file) => {
    const read = readSchedule(contentOf(file));
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    expect(scheduleProblems(read.schedule, SURROUNDINGS)).toEqual([]);
  });

  test('show each kind once', () => {
    const kinds = FILES.map((file) => (contentOf(file) as { kind: string }).kind);
    expect(kinds.sort()).toEqual(['fixed_amount', 'fund_run', 'sweep', 'top_up']);
  });
});

describe('a schedule that has not the form of its kind is refused with', () => {
  test.each<[string, object, string, string]>([
    ['a missing key', { floor: undefined }, 'floor', 'missing_key'],
    ['a number without quotes', { max_order: 12000 }, 'max_order', 'wrong_value'],
    ['a key of another kind', { level: '1.00' }, 'level', 'unknown_key'],
  ])('%s, its field and the fix', (_what, difference, field, code) => {
    const read = readSchedule({ ...(contentOf('sweep.yaml') as object), ...difference });
    const [problem, second] = 'problems' in read ? read.problems : [];
    expect([problem?.field, problem?.code, second]).toEqual([field, code, undefined]);
    expect(problem?.fix).toMatch(/^(give|remove) /);
  });

  test('everything at once', () => {
    const wrong = { ...(contentOf('sweep.yaml') as object), sell: 'usd', times: ['9:00'], from: undefined };
    const read = readSchedule(wrong);
    expect('problems' in read ? read.problems.map(({ field }) => field).sort() : []).toEqual([
      'from',
      'sell',
      'times.0',
    ]);
  });
});
