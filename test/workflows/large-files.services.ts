import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { linesOf, newRows, reject, submitFile, submitRows } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';

const ROWS = 20_000;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
  // From here on the provider's reference data is recorded.
  await reject(payrun, await submitRows(payrun, newRows(1)));
});
afterAll(() => payrun.stop());

/** What is stored of runs. */
async function storedRows(): Promise<unknown> {
  const { rows } = await payrun.database.query(
    `select (select count(*) from runs) as runs, (select count(*) from payments) as payments, (select count(*) from run_keys) as keys,
       (select coalesce(sum(rows), 0) from run_counts) as counted, (select count(*) from keyed_submissions) as keyed,
       (select count(*) from audit_entries where kind = 'run_submitted') as noted`,
  );
  return rows[0];
}

/** Ends the connection that is storing rows, as when its server is killed. */
async function cutConnection(): Promise<void> {
  await until(async () => {
    const { rowCount } = await payrun.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query ilike 'insert into payments%'`,
    );
    return (rowCount ?? 0) > 0;
  });
}

describe('a large file', () => {
  test('whose last row is wrong is refused, and nothing of it is stored', async () => {
    const before = await storedRows();
    const rows = newRows(ROWS).map((row, index) => (index === ROWS - 1 ? { ...row, amount: '1e3' } : row));
    const outcome = await submitFile(payrun, csvOf(rows));
    expect(await storedRows()).toEqual(before);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ line: ROWS + 1, code: 'scientific_notation' }] });
  });

  test('is stored as a whole after its server was killed in the middle, under the same key', async () => {
    const before = await storedRows();
    const file = csvOf(newRows(ROWS));
    const [cut] = await Promise.allSettled([submitFile(payrun, file, { idempotencyKey: 'large' }), cutConnection()]);
    expect(cut.status).toBe('rejected');
    expect(await storedRows()).toEqual(before);

    const outcome = await submitFile(payrun, file, { idempotencyKey: 'large' });
    if (outcome.kind !== 'accepted') throw new Error('refused');
    const { runId } = outcome;
    expect(await submitFile(payrun, file, { idempotencyKey: 'large' })).toMatchObject({ kind: 'accepted', runId });
    await untilRun(payrun.application, runId, 'in_approval');
    const { rows } = await payrun.database.query(
      `select count(*) as rows, min(row_number) as first, max(row_number) as last, count(distinct row_number) as different
       from payments where run_id = $1 and state = 'ready'`,
      [runId],
    );
    expect(rows).toEqual([{ rows: ROWS, first: 1, last: ROWS, different: ROWS }]);
    expect(await linesOf(payrun.application.results(runId))).toHaveLength(ROWS + 1);
    await reject(payrun, runId);
  });
});
