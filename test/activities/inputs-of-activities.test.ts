import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Whoever reaches Temporal calls activities with any input. One that is given a run, a case or the like has its account in the database: given
 * both, it would act for the one on the account of another.
 */

const ROOT = join(import.meta.dirname, '../..');
const OURS =
  /\b(run|payment|case|order|schedule|occurrence|dryRun|virtualAccount|manualOutcome|notification|endpoint)Id\b/g;

/** With two ids, and why none of them decides on the other. */
const NAMES_TWO: Readonly<Record<string, string>> = {
  beginOccurrence: 'the schedule is asked for where no occurrence is given',
  resolveConversion: 'what two people have said is of one order',
};

/** Types of inputs that are codes of a closed set, or name what they are of by ids, days and codes. */
const CLOSED = ['Slot', 'ReceiptRead', 'Reference', 'Corridor', 'HoldReason', 'FundsSource', 'ListRange', 'FactRange'];
/** What a field of a text is by its name: an id, an account, or a day. */
const NAMING = /^(\w*Id|account|after|fromDay|toDay)$/;

/** The fields of an input that may hold any text, and the types that nobody has looked into. */
function freeIn(input: string): string[] {
  const texts = [...input.matchAll(/(\w+)\??: string\b/g)].map(([, field = '']) => field);
  const types = [...input.matchAll(/: ([A-Z]\w*)/g)].map(([, type = '']) => type);
  return [
    ...texts.filter((field) => !NAMING.test(field)),
    ...types.filter((type) => !CLOSED.includes(type)),
    ...[...input.matchAll(/\w+\??: (?:unknown|any|object)\b/g)].map(([field]) => field),
  ];
}

const INPUTS = readdirSync(join(ROOT, 'activities'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...readFileSync(join(ROOT, 'activities', file), 'utf8').matchAll(
      /return async function (\w+)\(([\s\S]*?)\): Promise</g,
    ),
  ])
  .map(([, name = '', input = '']) => ({ name, input: input.replaceAll(/\/\*\*[\s\S]*?\*\//g, '') }));

describe('the input of an activity', () => {
  test('is found of each', () => {
    expect(INPUTS.length).toBeGreaterThan(80);
  });

  test.each(INPUTS)('of $name names no account beside what has one', ({ input }) => {
    expect(/\baccount\b/.test(input) ? (input.match(OURS) ?? []) : []).toEqual([]);
  });

  test('has no text and no amount: it names things, days and codes of a closed set', () => {
    const told = INPUTS.flatMap(({ name, input }) => freeIn(input).map((what) => `${name}: ${what}`));
    expect(told).toEqual([]);
  });

  test('names one thing, or there is a reason', () => {
    const several = INPUTS.filter(({ input }) => new Set(input.match(OURS)).size > 1).map(({ name }) => name);
    expect(several.filter((name) => NAMES_TWO[name] === undefined)).toEqual([]);
  });
});
