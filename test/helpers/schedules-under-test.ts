import { randomUUID } from 'node:crypto';
import type { ScheduleDetail, ScheduleOccurrence } from '../../api/treasury/schedule.ts';
import { temporalScheduleId } from '../../domain/identifiers.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import { aSchedule } from '../domain/treasury-schedules.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { setBalance } from './sandbox-control.ts';
import { until } from './until.ts';
import type { TestUser } from './users.ts';

const MINUTE_MS = 60_000;

/** Every day at a time of a minute ago: Temporal starts it tomorrow, and tests before. */
export function everyDayNow(): object {
  const { time } = localTimeOf(Date.now() - MINUTE_MS, 'UTC');
  return { time_zone: 'UTC', times: [time], on: { every: 'day' }, convention: 'skip' };
}

/** Banks never close, so that tests run on holidays as well. */
export const ALWAYS_OPEN = {
  overrides: {
    version: 7,
    currencies: Object.fromEntries(
      ['USD', 'EUR', 'GBP', 'SGD', 'JPY', 'AUD', 'CAD', 'CHF', 'HKD', 'NZD'].map((currency) => [
        currency,
        { country: 'none', weekend: [] },
      ]),
    ),
  },
  holidaysOf: () => null,
};

/** Has the ledger follow these currencies, with these balances. */
export async function followAll(payrun: PayrunUnderTest, balances: Readonly<Record<string, string>>): Promise<void> {
  for (const currency of Object.keys(balances)) await setBalance(payrun.sandbox, currency, '1.00');
  for (const [currency, amount] of Object.entries(balances)) await setBalance(payrun.sandbox, currency, amount);
  await until(async () => {
    // Nothing is read for it if somebody asked just before.
    await payrun.application.listBalances(payrun.checker, { account: null, currency: null });
    const { rows } = await payrun.database.query<{ currency: string; amount: number }>(
      'select currency, last_amount::float8 as amount from balance_chains',
    );
    const known = new Map(rows.map(({ currency, amount }) => [currency, amount]));
    return Object.entries(balances).every(([currency, amount]) => known.get(currency) === Number(amount));
  });
}

/** Adds a schedule that the checker confirms. Returns its id. */
export async function confirmedSchedule(
  { application, checker }: PayrunUnderTest,
  treasurer: TestUser,
  file: object,
  differences: object = {},
): Promise<string> {
  const schedule: Schedule = aSchedule(file, { name: `Schedule ${randomUUID()}`, ...everyDayNow(), ...differences });
  const added = await application.addSchedule(treasurer, schedule, false);
  if (added.kind === 'refused') throw new Error(JSON.stringify(added.problems));
  const scheduleId = added.scheduleId ?? '';
  const { schedule: summary } = await detailOf({ application }, scheduleId);
  await application.decideSchedule(checker, scheduleId, {
    ...{ version: 1, decision: 'confirmed', definitionHash: summary.proposed?.definitionHash ?? '', comment: null },
  });
  return scheduleId;
}

export async function detailOf(
  { application }: Pick<PayrunUnderTest, 'application'>,
  scheduleId: string,
): Promise<ScheduleDetail> {
  const detail = await application.findSchedule(scheduleId);
  if (detail === null) throw new Error('there is no such schedule');
  return detail;
}

/** Waits until so many occurrences of the schedule have ended, and returns them, the newest first. */
export function untilEnded(payrun: PayrunUnderTest, scheduleId: string, count = 1): Promise<ScheduleOccurrence[]> {
  return until(async () => {
    const { occurrences } = await detailOf(payrun, scheduleId);
    return occurrences.length >= count && occurrences.every(({ ended }) => ended !== null) ? occurrences : null;
  });
}

/** The schedule in Temporal that starts the occurrences. */
export function temporalSchedule({ temporal }: PayrunUnderTest, scheduleId: string) {
  return temporal.schedule.getHandle(temporalScheduleId(scheduleId));
}

/** The orders of an occurrence with their states. */
export async function ordersOf(
  { database }: PayrunUnderTest,
  occurrenceId: string,
): Promise<{ orderId: string; state: string | null; refused: string | null; amount: string; total: string | null }[]> {
  const { rows } = await database.query(
    `select order_id as "orderId", state, refused, terms ->> 'amount' as amount, total_amount::text as total
     from scheduled_orders left join conversion_orders using (order_id) where occurrence_id = $1`,
    [occurrenceId],
  );
  return rows as never;
}
