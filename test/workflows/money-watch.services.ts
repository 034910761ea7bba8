import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyQuery } from '../../api/accounts/balance.ts';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { depositMoney, paymentsAt, setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  const history = { ...HISTORY_SETTINGS, waitingEveryMs: 500, keepMs: 2_000 };
  // Nobody waits for payments that may come back.
  payrun = await startPayrun({ settings: { history, receipts: { ...RECEIPT_SETTINGS, returnsWithinMs: 0 } } });
});
afterAll(() => payrun.stop());

const historyReads = (): number => {
  const { byOperation } = payrun.sandbox.ledger().requests as { byOperation: Record<string, number> };
  return byOperation['balance-history'] ?? 0;
};
const everything = { account: null, currency: null };
const entriesOf = async (currency: string) =>
  (
    await payrun.application.listHistory(payrun.checker, {
      account: null,
      currency,
      from: null,
      to: null,
      limit: 1_000,
      after: null,
    })
  ).entries;
const watch = () => payrun.temporal.workflow.getHandle(moneyWatchWorkflowId('default'));
const untilWatchEnds = () =>
  until(
    async () =>
      (
        await watch()
          .describe()
          .catch(() => null)
      )?.status.name === 'COMPLETED',
  );

test('while nothing is under way, no history is read; a run has it read at its start and after its end', async () => {
  expect(historyReads()).toBe(0);
  const runId = await beginRun(payrun, newRows(3));
  await untilPaid(payrun, runId);
  await untilRun(payrun.application, runId, 'completed');
  await watch().signal('pollRequested');
  await untilWatchEnds();
  expect(historyReads()).toBeGreaterThanOrEqual(1);
  expect(historyReads()).toBeLessThanOrEqual(2);
  const totals = (await paymentsAt(payrun.sandbox)).map(({ totalAmount }) => `-${Number(totalAmount)}`);
  const changes = (await entriesOf('USD')).map(({ change }) => String(Number(change)));
  expect(changes.sort()).toEqual(totals.sort());
});

test('who looks at the balances has them read, with their history, and money that arrives shows soon', async () => {
  await payrun.application.listBalances(payrun.checker, everything);
  const before = await until(async () => {
    const [account] = await payrun.application.listBalances(payrun.checker, everything);
    const usd = account?.balances.find(({ currency }) => currency === 'USD');
    return usd !== undefined && Number(usd.amount) === Number(usd.amountByHistory) && usd;
  });
  expect(before.historyStatus).toBe('complete');
  await depositMoney(payrun.sandbox, 'USD', '12.34');
  await until(async () => (await entriesOf('USD'))[0]?.change === '12.34');
  await setBalance(payrun.sandbox, 'USD', '0');
});

test('users see balances and entries of the accounts that they may use', async () => {
  const stranger = { ...payrun.checker, accounts: ['another'] };
  expect(await payrun.application.listBalances(stranger, everything)).toEqual([]);
  const query = { ...everything, from: null, to: null, limit: 10, after: null };
  expect(await payrun.application.listHistory(stranger, query)).toEqual({ entries: [], nextAfter: null });
  expect(await payrun.application.listHistory(stranger, { ...query, account: 'default' })).toEqual({
    entries: [],
    nextAfter: null,
  });
  const first = await payrun.application.listHistory(payrun.checker, { ...query, limit: 2 });
  const { after } = historyQuery.parse({ after: first.nextAfter });
  const second = await payrun.application.listHistory(payrun.checker, { ...query, limit: 2, after });
  const ids = [...first.entries, ...second.entries].map(({ entryId }) => entryId);
  expect(new Set(ids).size).toBe(4);
});
