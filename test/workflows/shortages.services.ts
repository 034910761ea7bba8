import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifyingShortages } from '../../application/treasury/notify-shortages.ts';
import { addDays } from '../../domain/calendar-date.ts';
import { follow } from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { ALWAYS_OPEN } from '../helpers/schedules-under-test.ts';
import { setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** What servers find out every quarter of an hour: which currency will not last for the runs that were approved. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ calendars: ALWAYS_OPEN });
});
afterAll(() => payrun.stop());

const facts = async () => {
  const { rows } = await payrun.database.query<{ currency: string; day: string; over: boolean }>(
    `select currency, first_day::text as day, over_at is not null as over from cash_shortages order by currency`,
  );
  return rows;
};

test('a run that is due in three days and not covered is a shortage of that day, until the money has come', async () => {
  await follow(payrun, 'USD', '500.00');
  const day = addDays(new Date().toISOString().slice(0, 10), 3);
  const tell = notifyingShortages(0);
  const look = () =>
    tell({
      ...{ database: payrun.testDatabase.asServer, temporal: payrun.temporal, accounts: [{ name: 'default' }] },
      ...{ calendars: ALWAYS_OPEN, now: Date.now },
      settings: { referenceMaxAgeMs: 86_400_000, referenceTimeoutMs: 30_000 },
    } as never);
  await look();
  expect(await facts()).toEqual([]);
  await beginRun(payrun, newRows(1, { amount: '900.00', pay_on: day }));
  await until(async () => {
    await look();
    return (await facts()).length > 0;
  });
  expect(await facts()).toEqual([{ currency: 'USD', day, over: false }]);
  const query = { account: null, currency: 'USD', days: 5, expect: [] };
  const [cash] = await payrun.application.viewCash(payrun.checker, query);
  const [dollars] = cash?.currencies ?? [];
  expect(dollars).toMatchObject({ currency: 'USD', held: '500.00', committed: '500.00', free: '0.00' });
  // What is not reserved.
  expect(dollars?.needed.map((amount) => amount !== '0.00')).toEqual([false, false, false, true, false]);
  const { rows } = await payrun.database.query(
    `select count(*)::int as notified from audit_entries where kind = 'shortage_expected'`,
  );
  expect(rows).toEqual([{ notified: 1 }]);
  await setBalance(payrun.sandbox, 'USD', '5000.00');
  await until(async () => {
    // As a page that shows them does: soon after an earlier time, nothing is read for it.
    await payrun.application.listBalances(payrun.checker, { account: null, currency: 'USD' });
    await look();
    return (await facts())[0]?.over === true;
  });
});
