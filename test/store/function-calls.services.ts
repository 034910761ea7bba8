import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** plpgsql notices a function that does not exist, or takes other arguments, only when the call is reached. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

interface StoredFunction {
  name: string;
  body: string;
  /** How many arguments it takes at least, and at most. */
  least: number;
  most: number;
}

interface Call {
  name: string;
  arguments: number;
}

/** Comments and literals of SQL, which may have parentheses and commas of their own. */
const NO_CODE = /--[^\n]*|'(?:[^']|'')*'/g;
const TOKEN = /[a-z_][a-z0-9_]*|[^\s]/gi;
/** What may have parentheses behind its name beside a call: a table, or the columns of an alias. */
const NAMES_BEHIND = new Set(['as', 'into', 'update', 'table', 'join', 'conflict']);

function callsIn(body: string, names: ReadonlySet<string>): Call[] {
  const tokens = body.replace(NO_CODE, "''").match(TOKEN) ?? [];
  return tokens.flatMap((name, at) => {
    const isCall = names.has(name) && tokens[at + 1] === '(' && !NAMES_BEHIND.has(tokens[at - 1] ?? '');
    return isCall ? [{ name, arguments: argumentsFrom(tokens, at + 2) }] : [];
  });
}

/** How many arguments there are from a place behind an opening parenthesis on. */
function argumentsFrom(tokens: readonly string[], from: number): number {
  if (tokens[from] === ')') return 0;
  let depth = 1;
  let commas = 0;
  for (let at = from; depth > 0 && at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if ('(['.includes(token)) depth += 1;
    if (')]'.includes(token)) depth -= 1;
    if (token === ',' && depth === 1) commas += 1;
  }
  return commas + 1;
}

function wrongCalls(functions: readonly StoredFunction[]): string[] {
  const names = new Set(functions.map(({ name }) => name));
  return functions.flatMap(({ name: caller, body }) =>
    callsIn(body, names)
      .filter(
        (call) =>
          !functions.some(
            ({ name, least, most }) => name === call.name && least <= call.arguments && call.arguments <= most,
          ),
      )
      .map((call) => `${caller} calls ${call.name} with ${call.arguments}`),
  );
}

const ALL = `select proname as name, prosrc as body, pronargs - pronargdefaults as least,
    case when provariadic <> 0 then 100 else pronargs end as most
  from pg_proc where pronamespace = 'public'::regnamespace`;

test('functions call others with as many arguments as these take', async () => {
  const { rows } = await testDatabase.database.query<StoredFunction>(ALL);
  const calls = rows.flatMap(({ body }) => callsIn(body, new Set(rows.map(({ name }) => name))));
  expect(calls.length).toBeGreaterThan(500);
  expect(wrongCalls(rows)).toEqual([]);
});

test('a call with another number of arguments is noticed, whatever its arguments look like', () => {
  const called = { name: 'called', body: '', least: 2, most: 3 };
  const calling = (body: string): string[] => wrongCalls([called, { name: 'caller', body, least: 0, most: 0 }]);
  expect(calling(`perform called(1, (2, 3)); x := called(a[1, 2], 'it''s, (', nested(3, 4));`)).toEqual([]);
  expect(calling('-- called(1)\nselect called(1, 2) as called (one)')).toEqual([]);
  expect(calling('perform called(1);')).toEqual(['caller calls called with 1']);
  expect(calling('perform called();')).toEqual(['caller calls called with 0']);
  expect(calling(`perform called('a', b, 3, 4);`)).toEqual(['caller calls called with 4']);
});

test('functions call none that was dropped or renamed', async () => {
  const { database } = testDatabase;
  const { rows } = await database.query<StoredFunction>(ALL);
  const { rows: known } = await database.query<{ name: string }>(
    `select proname as name from pg_proc union select relname from pg_class union select attname from pg_attribute`,
  );
  const names = new Set(known.map(({ name }) => name));
  const called = rows.flatMap(({ name, body }) => {
    const words = body.replace(NO_CODE, "''").match(/(?:perform|:=|return|select)\s+[a-z_]+_[a-z_]+(?=\()/g) ?? [];
    return words.map((word) => [name, word.split(/\s+/).at(-1) ?? ''] as const);
  });
  expect(called.filter(([, name]) => !names.has(name))).toEqual([]);
});
