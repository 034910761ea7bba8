import { type PaymentLookup, lookupSummary } from '../../domain/payments/payment-lookup.ts';
import type { Queryable } from '../database/database.ts';

/** What was looked up for a payment, what it showed (`lookupSummary`), and how often. */
export interface StoredLookup {
  asked: PaymentLookup['asked'];
  seen: string;
  times: number;
  firstAt: Date;
  lastAt: Date;
}

/**
 * Stores the result of a lookup. The same result again is only counted, so that the table does not grow while a payment is
 * looked up for days. `askedAt` is from `beginReading`, before the provider was asked.
 */
export async function recordLookup(
  database: Queryable,
  paymentId: string,
  lookup: PaymentLookup,
  askedAt: string,
): Promise<void> {
  await database.query(
    `insert into payment_lookups (payment_id, asked, seen, asked_at, payments) values ($1, $2, $3, $4, $5)
     on conflict (payment_id, asked, seen)
       do update set times = payment_lookups.times + 1, last_at = clock_timestamp(),
         asked_at = excluded.asked_at, payments = excluded.payments`,
    [paymentId, lookup.asked, lookupSummary(lookup), askedAt, JSON.stringify(lookup.payments)],
  );
}

/**
 * Lookups of the last minute, made after the proposal was confirmed. An older one does not show what the provider has
 * done since.
 */
export async function readFreshLookups(
  database: Queryable,
  of: { paymentId: string; manualOutcomeId: string },
): Promise<PaymentLookup[]> {
  const { rows } = await database.query<PaymentLookup>(
    `select asked, payments, seen = 'only_others' as "onlyOthers" from payment_lookups
     -- guard: looked-up-just-now
     where payment_id = $1 and payments is not null and asked_at > clock_timestamp() - interval '1 minute'
       -- guard: looked-up-since
       and asked_at > (select min(confirmed_at) from payment_manual_outcome_confirmations where manual_outcome_id = $2)
     order by asked_at`,
    [of.paymentId, of.manualOutcomeId],
  );
  return rows;
}

export async function listLookups(database: Queryable, paymentId: string): Promise<StoredLookup[]> {
  const { rows } = await database.query<StoredLookup>(
    `select asked, seen, times, first_at as "firstAt", last_at as "lastAt" from payment_lookups
     where payment_id = $1 order by last_at, asked, seen`,
    [paymentId],
  );
  return rows;
}
