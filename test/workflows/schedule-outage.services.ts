import { afterAll, beforeAll, expect, test } from 'vitest';
import { SWEEP } from '../domain/treasury-schedules.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { ALWAYS_OPEN, confirmedSchedule, ordersOf, untilEnded } from '../helpers/schedules-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** An outage of the workers, which no window of Temporal covers: what was started waits in the queue. */

const CATCH_UP_MS = 2_000;

let payrun: PayrunUnderTest;
let tina: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    calendars: ALWAYS_OPEN,
    settings: { schedules: { calendars: ALWAYS_OPEN, catchUpMs: CATCH_UP_MS, orderLifetimeMs: 3_600_000 } },
  });
  tina = await aUser(payrun.testDatabase, 'Tina Treasurer', 'treasurer');
});
afterAll(() => payrun.stop());

test('an occurrence that the workers find long after its time is missed, and places nothing', async () => {
  const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, { floor: '0.00', max_order: '1.00' });
  await payrun.stopWorkers();
  const { occurrenceId } = await payrun.application.triggerSchedule(tina, scheduleId, 'during the outage');
  const startedMs = Date.now();
  await until(() => Promise.resolve(Date.now() - startedMs > CATCH_UP_MS));
  await payrun.restartWorkers();
  const [missed] = await untilEnded(payrun, scheduleId);
  expect(missed).toMatchObject({ occurrenceId, ended: 'missed', reason: 'started_too_late' });
  expect(await ordersOf(payrun, occurrenceId)).toEqual([]);
  expect(payrun.sandbox.ledger().requests.byOperation['conversion-quote'] ?? 0).toBe(0);
});
