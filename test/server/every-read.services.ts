import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** What only the real statements of the database can get wrong: every address that is read, with each of its parameters. */

let payrun: PayrunUnderTest;
let runId: string;
let readers: TestUser[];

beforeAll(async () => {
  payrun = await startPayrun();
  runId = await beginRun(payrun, newRows(2));
  await untilPaid(payrun, runId);
  await untilRun(payrun.application, runId, 'completed');
  const { testDatabase } = payrun;
  readers = [
    await aUser(testDatabase, 'Ruth Reader', 'maker', 'checker', 'treasurer', 'onboarder'),
    await aUser(testDatabase, 'Ada Administrator', 'administrator'),
  ];
});
afterAll(() => payrun.stop());

interface Schema {
  type?: string | string[];
  enum?: readonly unknown[];
  format?: string;
  minimum?: number;
  anyOf?: readonly Schema[];
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** Of names whose schema is only a text. */
const TEXTS: Readonly<Record<string, string>> = {
  account: 'default',
  currency: 'EUR',
  day: '2026-11-20',
  from: '2026-11-01',
  to: '2026-11-30',
  by: 'currency',
  total: '100.00',
  largest: '50.00',
  expect: 'EUR:100.00:2026-12-01',
  all: 'true',
  name: 'report.html',
  file: 'report.html',
};

/** Values that the description allows, as far as it says. */
function valuesOf({ name, schema }: Parameter): string[] {
  const of = (each: Schema): string[] => {
    if (each.enum !== undefined) return each.enum.map(String);
    if (each.type === 'boolean') return ['true', 'false'];
    if (each.type === 'integer' || each.type === 'number') return [String(each.minimum ?? 1)];
    if (each.format === 'uuid') return [runId];
    if (each.format === 'date') return ['2026-11-20'];
    if (each.format === 'date-time') return ['2026-11-20T10:00:00Z'];
    return [TEXTS[name] ?? 'a'];
  };
  const choices = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  return choices.flatMap(of);
}

async function statusOf(path: string, { token }: TestUser): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const aborted = new AbortController();
  const { status } = await fetch(`${payrun.serverUrl}${path}`, { headers, signal: aborted.signal });
  // Streams have no end.
  aborted.abort();
  return status;
}

test('no address that is read fails inside, with none of its parameters and with each', async () => {
  const description = (await (await fetch(`${payrun.serverUrl}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  const outcomes = new Map<number, string[]>();
  const note = async (path: string): Promise<void> => {
    for (const reader of readers) {
      const status = await statusOf(path, reader);
      outcomes.set(status, [...(outcomes.get(status) ?? []), path]);
    }
  };
  for (const [template, { get }] of Object.entries(description.paths)) {
    if (get === undefined) continue;
    const parameters = get.parameters ?? [];
    const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      name === 'runId' ? runId : (TEXTS[name] ?? randomUUID()),
    );
    const queries = parameters.filter((parameter) => parameter.in === 'query');
    const needed = queries.filter(({ required }) => required === true).map((one) => `${one.name}=${valuesOf(one)[0]}`);
    await note(`${path}?${needed.join('&')}`);
    for (const parameter of queries) {
      for (const value of valuesOf(parameter)) {
        const others = needed.filter((one) => !one.startsWith(`${parameter.name}=`));
        await note(`${path}?${[...others, `${parameter.name}=${encodeURIComponent(value)}`].join('&')}`);
      }
    }
  }
  expect([...outcomes].filter(([status]) => status >= 500)).toEqual([]);
  // Otherwise this would prove little.
  expect(outcomes.get(200)?.length ?? 0).toBeGreaterThan(100);
});
