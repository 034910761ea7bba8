import type { ReferenceRates } from '../../domain/rates/reference-rates.ts';
import type { Queryable } from '../database/database.ts';

/** Keeps rates by their day, so that what was paid then can be compared with them later. */
export async function keepReferenceRates(
  database: Queryable,
  { source, date, base, rates }: ReferenceRates,
): Promise<void> {
  await database.query(
    `insert into reference_rates as known (source, day, base, rates) values ($1, $2::date, $3, $4::jsonb)
     on conflict (source, day) do update set base = excluded.base, rates = excluded.rates, seen_at = clock_timestamp()
     where (known.base, known.rates) is distinct from (excluded.base, excluded.rates)`,
    [source, date, base, JSON.stringify(rates)],
  );
}

/** The newest first, of days in the range (YYYY-MM-DD, inclusive). */
export async function listReferenceRates(database: Queryable, from: string, to: string): Promise<ReferenceRates[]> {
  const { rows } = await database.query<ReferenceRates>(
    `select source, day::text as date, base, rates from reference_rates where day between $1::date and $2::date
     order by day desc, seen_at desc`,
    [from, to],
  );
  return rows;
}
