import type { Fact } from '../../domain/accounts/money-fact.ts';
import type { Queryable } from '../database/database.ts';

/** The facts that the books of a day begin with or get: those before its end that no earlier day has closed. */
export interface FactRange {
  account: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
}

/**
 * Where a subject says what money its records expect to move. One source for each subject; `activities/fact-sources.ts` lists
 * them. A fact is reported under the same id every time, until `notClosed` leaves it out; what was reported and is no longer so, such
 * as a payment that turns out not to have been funded, is left out by the source itself.
 */
export type FactSource = (database: Queryable, range: FactRange) => Promise<Fact[]>;

/** SQL: whether no day before $2 has closed the fact with this id; $1 is the account. */
export function notClosed(factId: string): string {
  return `not exists (select from booked_facts closed
    where closed.account = $1 and closed.fact_id = ${factId} and closed.day < $2::date)`;
}

/** SQL: the end of the day $2. */
export const END_OF_DAY = `(($2::date + 1)::timestamp at time zone 'UTC')`;
