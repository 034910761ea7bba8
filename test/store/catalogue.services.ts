import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { CheckedRow } from '../../domain/payment-file/check-rows.ts';
import { checkRows, corridorsOf } from '../domain/payment-rows.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import type { CellWarning } from '../../domain/runs/run-findings.ts';
import { isAlarming } from '../../domain/runs/run-finding.ts';
import { addLookAlikesOfRun } from '../../store/beneficiaries/look-alikes-of-run.ts';
import { bypassTriggers, emptyTables } from '../helpers/bypass-triggers.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { storeRows } from './a-stored-run.ts';

/** The catalogue of frauds and mistakes, played through the check of files, the check for duplicates, and the review. */

const cells = z.record(z.string(), z.coerce.string());
const catalogue = z
  .strictObject({
    row: cells,
    cases: z.array(
      z.strictObject({
        case: z.string(),
        paid: z.array(cells).default([]),
        withdrawn: z.boolean().default(false),
        file: z.array(cells).min(1),
        expected: z.enum(['refused', 'held', 'alarm', 'warning', 'fine']),
        code: z.string().optional(),
      }),
    ),
  })
  .parse(parse(readFileSync(join(import.meta.dirname, '../../examples/catalogue/frauds-and-mistakes.yaml'), 'utf8')));

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
// An invoice is looked for in all accounts of an installation, so each case begins with nothing paid.
beforeEach(() => emptyTables(testDatabase, 'runs', 'look_alike_keys'));
afterAll(() => testDatabase.drop());

function rowsOf(changes: readonly Record<string, string>[], prefix: string): RawRow[] {
  return changes.map((change, index) => {
    const row = { row_ref: `${prefix}-${index + 1}`, ...catalogue.row, ...change };
    return {
      line: index + 2,
      cells: Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')),
      original: [],
      unread: [],
    };
  });
}

/** A provider that asks for nothing in any corridor. */
function checked(rows: readonly RawRow[]): CheckedRow[] {
  const anything = ['company', 'individual'].map((entityType) => ({ entityType, fields: {}, bankAccount: {} }));
  const reference: ReferenceData = {
    currencies: new Map(['EUR', 'GBP', 'USD'].map((code) => [code, { code, decimalPlaces: 2, name: code }])),
    pairs: new Set(['EURUSD', 'GBPUSD']),
    localCurrencies: new Set(),
    requirements: new Map(corridorsOf(rows).map((corridor) => [corridorKey(corridor), anything])),
  };
  return checkRows(rows, { reference, book: new Map(), files: new Map(), today: '2026-04-10' });
}

interface Said {
  refused: string[];
  held: string[];
  alarm: string[];
  warning: string[];
}

/** Every code that is said of a case, by how much it weighs. */
async function saidOf({ paid, withdrawn, file }: (typeof catalogue.cases)[number]): Promise<Said> {
  const { database, asWorker } = testDatabase;
  const before = checked(rowsOf(paid, 'PAID'));
  expect(before.flatMap(({ problems }) => problems)).toEqual([]);
  for (const row of before) {
    const { runId } = await storeRows(database, [row]);
    await addLookAlikesOfRun(database, await payeesIn(database), runId);
    const [ofRows, ofRun, funded] = withdrawn ? ['cancelled', 'cancelled', null] : ['paid', 'completed', new Date()];
    await bypassTriggers(
      database,
      'update payments set state = $2, ended_at = now(), funded_at = $3 where run_id = $1',
      [...[runId, ofRows, funded]],
    );
    await bypassTriggers(database, 'update runs set state = $2, finished_at = now() where run_id = $1', [runId, ofRun]);
  }
  const rows = checked(rowsOf(file, 'NEW'));
  const refused = rows.flatMap(({ problems }) => problems.map(({ code }) => code));
  const warnings: CellWarning[] = rows.flatMap((row) => row.warnings);
  const said: Said = { refused, held: [], alarm: [], warning: warnings.map(({ code }) => code) };
  if (refused.length > 0) return said;
  const { runId } = await storeRows(database, rows);
  await checkDuplicatesActivity({ database: asWorker, dataKeys: TEST_DATA_KEYS })({ runId });
  const held = await database.query<{ code: string }>(
    `select error_code as code from payments where run_id = $1 and state = 'duplicate_suspect'`,
    [runId],
  );
  const { review } = await computeReview(database, TEST_DATA_KEYS, runId, Date.now());
  for (const { kind } of review.findings) {
    if (isAlarming(kind)) said.alarm.push(kind);
    else if (kind !== 'new_beneficiary') said.warning.push(kind);
  }
  return { ...said, held: held.rows.map(({ code }) => code) };
}

describe('the catalogue of frauds and mistakes', () => {
  test('has at least forty cases, each with its own name', () => {
    const names = catalogue.cases.map((one) => one.case);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  test.each(catalogue.cases.map((one) => [one.case, one] as const))('%s', async (_name, one) => {
    const said = await saidOf(one);
    if (one.expected === 'fine') expect(said).toEqual({ refused: [], held: [], alarm: [], warning: [] });
    else expect(said[one.expected]).toContain(one.code);
    // Nothing that weighs more than the catalogue says.
    const order = ['refused', 'held', 'alarm', 'warning'] as const;
    const heavier = order.slice(0, one.expected === 'fine' ? 4 : order.indexOf(one.expected));
    expect(heavier.flatMap((weight) => said[weight])).toEqual([]);
  });
});
