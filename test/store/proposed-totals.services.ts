import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { readSendingState } from '../../store/payments/request-days.ts';
import { readProposalTotals } from '../../store/runs/proposal-totals.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('rows are counted by the day on which they are due, those without a day and those of the past by today', async () => {
  const { database, asWorker } = testDatabase;
  const today = await readLocalDay(database, ACCOUNT, Date.now());
  const later = addDays(today, 40);
  const days = [null, addDays(today, -3), today, later, later];
  const { runId } = await aStoredRun(database, days.length, (n) => ({ payOn: days[n - 1] ?? null, amount: '10.00' }));
  const totals = await readProposalTotals(asWorker, runId);
  expect(totals.today).toBe(today);
  expect(totals.byCurrency.map(({ due, rows, amount }) => [due, rows, amount])).toEqual([
    [today, 3, '30.00'],
    [later, 2, '20.00'],
  ]);
});

/** Each funded just now, with requests that were answered as asked after these times. */
async function fund(paymentIds: readonly string[], answeredAfterMs: readonly number[], answer = 'as_asked') {
  for (const [index, paymentId] of paymentIds.entries()) {
    await bypassTriggers(
      testDatabase.database,
      `with funded as (update payments set funded_at = clock_timestamp() where payment_id = $1 returning account, payment_id)
       insert into provider_requests (account, payment_id, attempt, operation, non_idempotent, begun_at, answered_at, outcome, answer)
       select account, payment_id, 1, 'fund', false, now(), now() + make_interval(secs => $2 / 1000.0), 'took_effect', $3 from funded`,
      [paymentId, answeredAfterMs[index] ?? 0, answer],
    );
  }
}

test('the round trip is the middle one of the latest answers, and not known without any', async () => {
  const { database, asServer, asWorker } = testDatabase;
  expect(await readSendingState(asWorker, ACCOUNT)).toMatchObject({ roundTripMs: null });
  const { paymentIds } = await anApprovedRun(database, 4);
  await fund(paymentIds.slice(0, 3), [200, 60_000, 300]);
  // An outcome that was found out a day later says nothing of how fast the provider answers.
  await fund(paymentIds.slice(3), [86_400_000], 'unknown_outcome');
  expect(await readSendingState(asWorker, ACCOUNT)).toMatchObject({ roundTripMs: 300 });
  expect(await readSendingState(asServer, ACCOUNT)).toMatchObject({ roundTripMs: 300 });
  const latest = await anApprovedRun(database, 30);
  await fund(
    latest.paymentIds,
    latest.paymentIds.map(() => 50),
  );
  expect(await readSendingState(asWorker, ACCOUNT)).toMatchObject({ roundTripMs: 50 });
});
