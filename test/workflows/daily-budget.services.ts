import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const PER_DAY = 60;
const RESERVED = 40;
const ROWS = 8;
/** One beneficiary for all rows: otherwise the day's requests are used up before anything is quoted. */
const BENEFICIARY = { beneficiary_company_name: 'Daily Supplier Ltd', bank_account_number: '11223344' };

const shift = { days: 0, maxWaitMs: 200 };
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({
    requestsPerSecond: 5,
    requestsPerDay: PER_DAY,
    requestsReservedPerDay: RESERVED,
    dayShift: () => shift,
  });
});
afterAll(() => payrun.stop());

/** The number of requests on each day, in order. */
async function requestsByDay(): Promise<number[]> {
  const { rows } = await payrun.database.query<{ requests: number }>('select requests from request_days order by day');
  return rows.map(({ requests }) => requests);
}

/** The number of payments in these states. */
async function rowsIn(...states: string[]): Promise<number> {
  const { rows } = await payrun.database.query<{ count: number }>(
    'select count(*) from payments where state = any($1)',
    [states],
  );
  return rows[0]?.count ?? 0;
}

test('a run begins no payment from the reserve, confirms payments in flight, and continues the next day', async () => {
  const runId = await beginRun(payrun, newRows(ROWS, BENEFICIARY));
  await until(async () => ((await requestsByDay()).at(-1) ?? 0) >= PER_DAY - RESERVED);
  await until(async () => (await rowsIn('created', 'funded', 'processing')) === 0 && (await rowsIn('paid')) > 0);
  expect(await rowsIn('ready', 'quoted')).toBe(ROWS - (await rowsIn('paid')));
  expect(await rowsIn('ready', 'quoted')).toBeGreaterThan(0);

  const goOn = setInterval(() => {
    void requestsByDay().then((days) => {
      if (days.length > shift.days && (days.at(-1) ?? 0) >= PER_DAY - RESERVED) shift.days = days.length;
    });
  }, 25);
  await untilRun(payrun.application, runId, 'completed', 'partially_completed', 'failed').finally(() =>
    clearInterval(goOn),
  );
  await expectPaidOnce(payrun, runId);
  const days = await requestsByDay();
  expect(days.length).toBeGreaterThan(1);
  expect(Math.max(...days)).toBeLessThanOrEqual(PER_DAY);
});
