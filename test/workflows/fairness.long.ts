import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, newRows, submitRows } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';

const PER_SECOND = 5;
const LONG_ROWS = 1_001;
const SHORT_ROWS = 10;
/** A beneficiary, a quote, a creation and a funding for each row: what the short run needs alone. */
const REQUESTS_ALONE = SHORT_ROWS * 4;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ requestsPerSecond: PER_SECOND });
});
afterAll(() => payrun.stop());

async function countIn(runId: string, ...states: string[]): Promise<number> {
  const { rows } = await payrun.database.query<{ count: number }>(
    'select count(*)::int as count from payments where run_id = $1 and state = any($2)',
    [runId, states],
  );
  return rows[0]?.count ?? 0;
}

const countSent = (runId: string): Promise<number> => countIn(runId, 'funded', 'processing', 'paid');

const requestsSoFar = (): number => payrun.sandbox.ledger().requests.total;

test('a short run behind a long one is sent within one and a half times what it needs alone', async () => {
  const oneBeneficiary = { beneficiary_company_name: 'Monthly Supplier Ltd', bank_account_number: '11223344' };
  const long = await beginRun(payrun, newRows(LONG_ROWS, oneBeneficiary));
  const short = await submitRows(payrun, newRows(SHORT_ROWS));
  await until(async () => (await countSent(long)) >= 5);
  await approve(payrun, short);
  // When a run starts depends on the machine; from then on, the queue decides.
  await until(async () => (await countIn(short, 'quoted', 'created', 'funded', 'processing', 'paid')) > 0);

  // Begun payments come first, as do activities that the workers already hold.
  const begun = 2 * (await countIn(long, 'quoted')) + (await countIn(long, 'created'));
  const inFlight = begun + 3 * PER_SECOND;
  const before = requestsSoFar();
  await until(async () => (await countSent(short)) === SHORT_ROWS);
  expect(requestsSoFar() - before).toBeLessThanOrEqual(1.5 * REQUESTS_ALONE + inFlight);
  expect(await countSent(long)).toBeLessThan(LONG_ROWS);
});
