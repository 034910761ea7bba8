import { randomUUID } from 'node:crypto';
import type { NewOrderRequest } from '../../../client/sdk/index.ts';
import { temporalScheduleId } from '../../../domain/identifiers.ts';
import { csvOf, aRow } from '../../../fixtures/payment-rows.ts';
import { FIXED_AMOUNT, SWEEP } from '../../domain/treasury-schedules.ts';
import { approveOverHttp, confirmedScheduleOverHttp } from '../../helpers/decide-over-http.ts';
import { everyDayNow } from '../../helpers/schedules-under-test.ts';
import type { FaultStack } from '../fault-stack.ts';
import { untilWithin } from '../until-within.ts';
import { SWEEP_FLOOR } from './treasury-account.ts';
import type { OrderPlan, SchedulePlan, TreasuryScenario } from './treasury-scenario.ts';

/** What people do in a scenario. A request that failed is repeated under the same key until it is accepted. */

const ACCEPTED_WITHIN_MS = 150_000;

function untilAccepted<T>(what: string, ask: () => Promise<T>): Promise<T> {
  let answer: { is: T } | null = null;
  let last: unknown;
  const tried = untilWithin(ACCEPTED_WITHIN_MS, what, async () => {
    answer = await ask().then(
      (is) => ({ is }),
      (error: unknown) => {
        last = error;
        return null;
      },
    );
    return answer !== null;
  });
  return tried.then(
    () => (answer as unknown as { is: T }).is,
    () => {
      throw new Error(`${what}: ${last instanceof Error ? last.message : String(last)}`);
    },
  );
}

export async function placeOrders({ treasurer }: FaultStack, orders: readonly OrderPlan[]): Promise<string[]> {
  return Promise.all(
    orders.map(async ({ buyCurrency, amount }) => {
      const key = randomUUID();
      const terms = { sellCurrency: 'USD', buyCurrency, fixedSide: 'sell', amount } as const;
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const order = { ...terms, expiresAt } as NewOrderRequest;
      const headers = { 'idempotency-key': key };
      return (await untilAccepted('the order is placed', () => treasurer.placeOrder(order, { headers }))).orderId;
    }),
  );
}

/** Adds the schedules, and has another person confirm them. */
export async function addSchedules(
  people: Pick<FaultStack, 'treasurer' | 'checker'>,
  plans: readonly SchedulePlan[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { kind, sell, buy } of plans) {
    const file =
      kind === 'sweep' ? { ...SWEEP, floor: SWEEP_FLOOR } : { ...FIXED_AMOUNT, amount: '400.00', max_order: '500.00' };
    const schedule = { ...file, name: `Schedule ${randomUUID()}`, ...everyDayNow(), sell, buy };
    ids.push(await confirmedScheduleOverHttp(people, schedule));
  }
  return ids;
}

/** Starts each schedule twice for the same occurrence. */
export async function startSchedules(
  stack: FaultStack,
  plans: readonly SchedulePlan[],
  scheduleIds: readonly string[],
): Promise<void> {
  await Promise.all(
    plans.map(async ({ startedBy }, index) => {
      const scheduleId = scheduleIds[index] ?? '';
      if (startedBy === 'time') return startByTime(stack, scheduleId);
      const start = startedByPerson(stack, scheduleId);
      await Promise.all([start(), start()]);
    }),
  );
}

/** As long as a start may be delayed at random, so that not all schedules start at once. */
const MAX_JITTER_MS = 60_000;

/**
 * As Temporal starts it at its time of today, which was a minute ago when the schedule was written. Twice, and in one request:
 * of two requests that it reads together, it forgets the first.
 */
async function startByTime({ temporal, database }: FaultStack, scheduleId: string): Promise<void> {
  const { rows } = await untilAccepted('the schedule is read', () =>
    database.query<{ time: string }>(
      `select definition::jsonb -> 'times' ->> 0 as time from schedule_versions where schedule_id = $1`,
      [scheduleId],
    ),
  );
  const today = new Date().toISOString().slice(0, 10);
  const at = Date.parse(`${today}T${rows[0]?.time ?? ''}:00Z`);
  const moment = at > Date.now() ? at - 86_400_000 : at;
  const handle = temporal.schedule.getHandle(temporalScheduleId(scheduleId));
  const time = { start: new Date(moment - 1), end: new Date(moment + MAX_JITTER_MS + 1) };
  await untilAccepted('Temporal starts the schedule', () => handle.backfill([time, time]));
}

function startedByPerson({ treasurer }: FaultStack, scheduleId: string): () => Promise<unknown> {
  const headers = { 'idempotency-key': randomUUID() };
  return () => untilAccepted('the schedule is triggered', () => treasurer.startOccurrence({ scheduleId }, { headers }));
}

export async function deleteSchedules({ treasurer }: FaultStack, scheduleIds: readonly string[]): Promise<void> {
  for (const scheduleId of scheduleIds) {
    await untilAccepted('the schedule is deleted', () => treasurer.deleteSchedule({ scheduleId }));
  }
}

/** Submits the payments of a scenario; answers the run, which waits for its approval. */
export async function submitPayments(
  { maker }: FaultStack,
  { payments }: TreasuryScenario,
  tag: number,
): Promise<string> {
  const rows = payments.map((amount, index) =>
    aRow(tag * 100 + index + 1, { row_ref: `${tag}-${index + 1}`, amount, payment_reference: `Invoice ${tag}` }),
  );
  const { runId } = await maker.submitRun({ fileName: 'faults.csv', file: csvOf(rows), files: [] });
  await untilWithin(ACCEPTED_WITHIN_MS, 'the run waits for approval', async () => {
    return (await maker.getRun({ runId })).state === 'in_approval';
  });
  return runId;
}

export async function approvePayments({ checker, maker }: FaultStack, runId: string): Promise<void> {
  await untilAccepted('the run is approved', async () => {
    if ((await maker.getRun({ runId })).state === 'in_approval') await approveOverHttp(checker, runId);
  });
}
