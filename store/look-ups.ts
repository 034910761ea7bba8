import { type LookUp, seenIn } from '../domain/look-up.ts';
import type { Queryable } from './database.ts';

/** What was looked up for a payment, and what was seen, as often as it was. `seen` is as `seenIn` says it. */
export interface KeptLookUp {
  asked: LookUp['asked'];
  seen: string;
  times: number;
  firstAt: Date;
  lastAt: Date;
}

/** Keeps what a look showed. The same sight again is only counted, so that asking for days fills nothing. */
export async function keepLookUp(database: Queryable, paymentId: string, lookUp: LookUp): Promise<void> {
  await database.query(
    `insert into look_ups (payment_id, asked, seen) values ($1, $2, $3)
     on conflict (payment_id, asked, seen)
       do update set times = look_ups.times + 1, last_at = clock_timestamp()`,
    [paymentId, lookUp.asked, seenIn(lookUp)],
  );
}

export async function listLookUps(database: Queryable, paymentId: string): Promise<KeptLookUp[]> {
  const { rows } = await database.query<KeptLookUp>(
    `select asked, seen, times, first_at as "firstAt", last_at as "lastAt" from look_ups
     where payment_id = $1 order by last_at, asked, seen`,
    [paymentId],
  );
  return rows;
}
