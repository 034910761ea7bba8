import type { ReportFile } from '../../api/reconciliation/book-day.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookDayQuery } from '../../api/reconciliation/book-day.ts';
import { breakQuery } from '../../api/reconciliation/break.ts';
import { dailyBooksScheduleId, dailyBooksWorkflowId } from '../../domain/identifiers.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';

/** Books of payments that were really made, from the provider's history to the report. */
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

const ACCOUNT = 'default';
const days = () => payrun.application.listBookDays(payrun.checker, bookDayQuery.parse({}));
const breaks = () => payrun.application.listBreaks(payrun.checker, breakQuery.parse({}));

/** As if everything had happened two days before the last one that counts as seen: six hours after its end, at any time of the day. */
async function twoDaysPass(): Promise<void> {
  for (const statement of [
    `update balance_entries set dated_at = dated_at - interval '54 hours'`,
    `update balance_chains set started_at = started_at - interval '54 hours', last_dated_at = last_dated_at - interval '54 hours'`,
    `update history_ranges set from_at = from_at - interval '54 hours', to_at = to_at - interval '54 hours', read_at = read_at - interval '54 hours'`,
    `update provider_requests set begun_at = begun_at - interval '54 hours', answered_at = answered_at - interval '54 hours'`,
    `update payments set funded_at = funded_at - interval '54 hours', ended_at = ended_at - interval '54 hours',
       provider_created_at = provider_created_at - interval '54 hours'`,
  ]) {
    await bypassTriggers(payrun.database, statement);
  }
}

async function reconcile(): Promise<void> {
  const { isUnderWay } = await payrun.application.askForReconciliation(payrun.maker, {
    ...{ account: ACCOUNT, from: null, to: null },
  });
  expect(isUnderWay).toBe(false);
  // Most of it is a pause between two reads of the provider.
  await payrun.temporal.workflow.getHandle(dailyBooksWorkflowId(ACCOUNT)).result();
  const ended = await payrun.application.findReconciliation(payrun.maker, ACCOUNT);
  expect(ended).toMatchObject({ isUnderWay: false, hasFailed: false });
}

test('every payment of a run is found in the history, and the days can be signed, closed and reported', async () => {
  const runId = await beginRun(payrun, newRows(4));
  await untilPaid(payrun, runId);
  await untilRun(payrun.application, runId, 'completed');
  // A run has the books of its account made every day from then on.
  await payrun.temporal.schedule.getHandle(dailyBooksScheduleId(ACCOUNT)).describe();
  // Somebody looks: then what was not read yet is.
  await payrun.application.listBalances(payrun.checker, { account: null, currency: null });
  const entries = async (): Promise<number> =>
    (await payrun.database.query('select from balance_entries where position is not null')).rows.length;
  await until(async () => (await entries()) >= 4);
  await twoDaysPass();
  await reconcile();
  expect(await breaks()).toEqual([]);
  const [first, second] = await days();
  expect(first?.matched).toBe(4);
  expect([first?.state, second?.state]).toEqual(['matched', 'matched']);
  for (const { currency, opening, totals, closing } of first?.books ?? []) {
    const changed = totals.reduce((sum, { amount }) => sum + Number(amount), Number(opening));
    expect(changed).toBeCloseTo(Number(closing), 6);
    expect(totals.map(({ entryClass }) => entryClass)).toContain('payment');
    await payrun.application.signOpening(payrun.checker, { account: ACCOUNT, currency, amount: opening });
  }
  for (const { day, contentHash } of await days()) {
    await payrun.application.signBookDay(payrun.checker, { account: ACCOUNT, day, contentHash });
  }
  expect((await days()).map(({ state }) => state)).toEqual(['closed', 'closed']);

  const query = { account: ACCOUNT, from: first?.day ?? '', to: null, currency: first?.books[0]?.currency ?? '' };
  const file = async (name: ReportFile): Promise<string> => {
    let text = '';
    for await (const piece of await payrun.application.reconciliationReport(payrun.checker, name, query)) text += piece;
    return text;
  };
  expect(await file('report.html')).toContain('There are no breaks.');
  expect((await file('entries.csv')).split('\n').length).toBeGreaterThan(4);
  expect((await file('fees.csv')).split('\n')[0]).toBe('currency,day,entry_id,transaction_id,class,amount,fact');
  expect((await file('exchange.csv')).trimEnd().split('\n')).toHaveLength(1);
  expect((await file('statement.xml')).match(/<Ntry>/g)).toHaveLength(4);
  const stranger = { ...payrun.checker, accounts: ['another'] };
  await expect(payrun.application.reconciliationReport(stranger, 'report.html', query)).rejects.toThrow(
    'not reconciled',
  );
});
