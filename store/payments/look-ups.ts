import { type LookUp, lookUpSummary } from '../../domain/payments/look-up.ts';
import type { Queryable } from '../database/database.ts';

/** What was looked up for a payment, what it showed (`lookUpSummary`), and how often. */
export interface StoredLookUp {
  asked: LookUp['asked'];
  seen: string;
  times: number;
  firstAt: Date;
  lastAt: Date;
}

/**
 * Stores the result of a look-up. The same result again is only counted, so that the table does not grow while a payment is
 * looked up for days. `askedAt` is from `beginReading`, before the provider was asked.
 */
export async function recordLookUp(
  database: Queryable,
  paymentId: string,
  lookUp: LookUp,
  askedAt: string,
): Promise<void> {
  await database.query(
    `insert into look_ups (payment_id, asked, seen, asked_at, payments) values ($1, $2, $3, $4, $5)
     on conflict (payment_id, asked, seen)
       do update set times = look_ups.times + 1, last_at = clock_timestamp(),
         asked_at = excluded.asked_at, payments = excluded.payments`,
    [paymentId, lookUp.asked, lookUpSummary(lookUp), askedAt, JSON.stringify(lookUp.payments)],
  );
}

/**
 * Look-ups of the last minute, made after the proposal was confirmed. An older one does not show what the provider has
 * done since.
 */
export async function readFreshLookUps(
  database: Queryable,
  of: { paymentId: string; resolutionId: string },
): Promise<LookUp[]> {
  const { rows } = await database.query<LookUp>(
    `select asked, payments, seen = 'only_others' as "onlyOthers" from look_ups
     -- guard: looked-up-just-now
     where payment_id = $1 and payments is not null and asked_at > clock_timestamp() - interval '1 minute'
       -- guard: looked-up-since
       and asked_at > (select min(confirmed_at) from resolution_confirmations where resolution_id = $2)
     order by asked_at`,
    [of.paymentId, of.resolutionId],
  );
  return rows;
}

export async function listLookUps(database: Queryable, paymentId: string): Promise<StoredLookUp[]> {
  const { rows } = await database.query<StoredLookUp>(
    `select asked, seen, times, first_at as "firstAt", last_at as "lastAt" from look_ups
     where payment_id = $1 order by last_at, asked, seen`,
    [paymentId],
  );
  return rows;
}
