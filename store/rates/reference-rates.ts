import type { ReferenceRates } from '../../domain/rates/reference-rates.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Keeps rates by their day, so that what was paid then can be compared with them later. Returns the currencies whose rates are in doubt,
 * since they jump: they count as missing. @throws a check violation of rates without source, day or base
 */
export async function keepReferenceRates(
  database: Queryable,
  { source, date, base, rates }: ReferenceRates,
): Promise<string[]> {
  const { rows } = await database.query<{ doubted: string[] }>(
    'select keep_reference_rates($1, $2::date, $3, $4::jsonb) as doubted',
    [source, date, base, JSON.stringify(rates)],
  );
  return rows[0]?.doubted ?? [];
}

/**
 * What days of a range (YYYY-MM-DD, inclusive) are compared with, the newest first: of each source and day the last ones, without what is
 * in doubt. Those of the days before count as well: over a long weekend the rates of Thursday are still the newest.
 */
export async function listReferenceRates(database: Queryable, from: string, to: string): Promise<ReferenceRates[]> {
  const { rows } = await database.query<ReferenceRates>(
    `select source, day::text as date, base, rates - doubted as rates from (
       select distinct on (source, day) * from reference_rates where day between $1::date - 7 and $2::date
       order by source, day, seen_at desc) as latest
     where base <> all(doubted) order by day desc, seen_at desc`,
    [from, to],
  );
  return rows;
}
