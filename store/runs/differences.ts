import type { DifferenceKind } from '../../domain/runs/run-difference.ts';
import type { Queryable } from '../database/database.ts';

export interface ComparedRun {
  runId: string;
  fileName: string;
  submittedAt: Date;
}

/** The last paid run of the same kind before this one; null: there is none. */
export async function readComparedRun(database: Queryable, runId: string): Promise<ComparedRun | null> {
  const { rows } = await database.query<ComparedRun>(
    `select run_id as "runId", file_name as "fileName", submitted_at as "submittedAt" from runs
     where run_id = last_paid_run_like($1)`,
    [runId],
  );
  return rows[0] ?? null;
}

/** Sums of the rows of a payee in one currency and on one side. Amounts are decimal strings. */
export interface StoredDifference {
  kind: DifferenceKind;
  payee: string;
  currency: string;
  side: 'sell' | 'buy';
  now: { rows: number; amount: string; paymentId: string } | null;
  before: { rows: number; amount: string; paymentId: string } | null;
}

export interface DifferencesPage {
  counts: Partial<Record<DifferenceKind | 'same', number>>;
  differences: StoredDifference[];
}

/** Counts of all, and the differences after one of them, in one order: `limit` at most, whatever the number of rows. */
export async function readDifferences(
  database: Queryable,
  of: { runId: string; earlierId: string },
  page: { after: readonly [string, string, string, string] | null; limit: number },
): Promise<DifferencesPage> {
  const { rows } = await database.query<DifferencesPage>(
    `with found as materialized (select *, kind collate "C" as by_kind from differences_of_run($1, $2)),
     page as (
       select * from found where kind <> 'same'
         and ($3::text[] is null or array[by_kind, payee, currency, side] collate "C" > $3::text[])
       order by by_kind, payee collate "C", currency collate "C", side collate "C" limit $4)
     select (select coalesce(jsonb_object_agg(kind, count), '{}') from (select kind, count(*)::int from found group by kind) as counted) as counts,
       (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'payee', payee, 'currency', currency, 'side', side,
         'now', case when now_rows is not null then jsonb_build_object('rows', now_rows, 'amount', now_amount::text, 'paymentId', now_payment) end,
         'before', case when before_rows is not null then
           jsonb_build_object('rows', before_rows, 'amount', before_amount::text, 'paymentId', before_payment) end)
         order by by_kind, payee collate "C", currency collate "C", side collate "C"), '[]') from page) as differences`,
    [of.runId, of.earlierId, page.after, page.limit],
  );
  return rows[0] ?? { counts: {}, differences: [] };
}
