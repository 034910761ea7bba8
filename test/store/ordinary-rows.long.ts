import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import { type FindingKind, isAlarming } from '../../domain/runs/run-finding.ts';
import { bypassTriggers, emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { checkRows, corridorsOf } from '../domain/payment-rows.ts';
import { storeRows } from './a-stored-run.ts';
import { OrdinaryCompany } from './ordinary-companies.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** What is said of rows as companies have them each month, of which none is a fraud or a mistake. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

function referenceFor(rows: readonly RawRow[]): ReferenceData {
  const anything = ['company', 'individual'].map((entityType) => ({ entityType, fields: {}, bankAccount: {} }));
  return {
    currencies: new Map(['EUR', 'USD', 'SGD'].map((code) => [code, { code, decimalPlaces: 2, name: code }])),
    pairs: new Set(['EURSGD', 'USDSGD']),
    localCurrencies: new Set(),
    requirements: new Map(corridorsOf(rows).map((corridor) => [corridorKey(corridor), anything])),
  };
}

class Said {
  rows = 0;
  suspects = 0;
  /** Findings of each kind, and the rows that they are about. */
  readonly findings = new Map<FindingKind, { findings: number; rows: number }>();

  get alarms(): number {
    return [...this.findings].reduce((sum, [kind, { findings }]) => sum + (isAlarming(kind) ? findings : 0), 0);
  }

  toString(): string {
    const kinds = [...this.findings].map(([kind, { findings, rows }]) => `${kind} ${findings} (${rows} rows)`);
    return `${this.rows} rows: ${this.alarms} alarms, ${this.suspects} suspects; ${kinds.join(', ')}`;
  }
}

/** A file through the check, the look for duplicates and the review; then it is paid, suspects too, as if they had been released. */
async function submitted(said: Said, account: string, rows: readonly RawRow[]): Promise<void> {
  const { database, asWorker } = testDatabase;
  const checked = checkRows(rows, {
    reference: referenceFor(rows),
    book: new Map(),
    files: new Map(),
    today: '2026-04-10',
  });
  expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
  const { runId } = await storeRows(database, checked, account);
  said.rows += rows.length;
  said.suspects += (
    await checkDuplicatesActivity({ database: asWorker, dataKeys: TEST_DATA_KEYS })({ runId })
  ).suspects;
  const { review } = await computeReview(database, TEST_DATA_KEYS, runId, Date.now());
  for (const finding of review.findings) {
    const { findings, rows: before } = said.findings.get(finding.kind) ?? { findings: 0, rows: 0 };
    const rowCount = before + ('rowCount' in finding ? finding.rowCount : 0);
    said.findings.set(finding.kind, { findings: findings + 1, rows: rowCount });
  }
  await bypassTriggers(
    database,
    `update payments set state = 'paid', ended_at = now(), funded_at = now() where run_id = $1`,
    [runId],
  );
  await bypassTriggers(
    database,
    `update runs set state = 'completed', started_at = now(), finished_at = now() where run_id = $1`,
    [runId],
  );
}

async function aMonthLater(): Promise<void> {
  const { database } = testDatabase;
  const month = `interval '30 days'`;
  await bypassTriggers(
    database,
    `update payments set ended_at = ended_at - ${month}, funded_at = funded_at - ${month}`,
    [],
  );
  await bypassTriggers(
    database,
    `update runs set submitted_at = submitted_at - ${month}, finished_at = finished_at - ${month}`,
    [],
  );
}

test.each(['suspect', 'warn'] as const)(
  'ordinary rows give less than an alarm for 500 of them: %s',
  async (regularPayments) => {
    await emptyTables(testDatabase, 'runs', 'look_alike_keys');
    await (await RunsInApproval.of(testDatabase)).follow({ duplicates: { regularPayments } });
    const said = new Said();
    const companies = Array.from(
      { length: 8 },
      (_, n) => new OrdinaryCompany(`company ${n}`, { suppliers: 110, employees: 45 }),
    );
    for (let month = 1; month <= 8; month += 1) {
      for (const [n, company] of companies.entries()) {
        await submitted(said, `company-${n}`, company.suppliersOf(month));
        await submitted(said, `company-${n}`, company.salariesOf(month));
        company.nextMonth();
      }
      await aMonthLater();
    }
    process.stderr.write(`${said.toString()}\n`);
    expect(said.rows).toBeGreaterThan(10_000);
    expect(said.alarms, said.toString()).toBeLessThan(said.rows / 500);
  },
);
