import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { FoundAmount } from '../../domain/runs/run-finding.ts';
import type { Queryable } from '../database/database.ts';
import { AMOUNT_COLUMNS } from './duplicates.ts';
import { BENEFICIARY } from './reviewed-rows.ts';
import { filteredRows, Parameters, type RowSearch } from './row-pages.ts';

/** The suspected duplicates of a run that somebody looks at, or releases, together. */
export interface SuspectFilter {
  rowRef: string | null;
  search: RowSearch | null;
  currency: string | null;
  /** Why they are suspected. */
  code: string | null;
}

/** SQL: `with asked as (…)`: the suspects. $1 run. */
export function suspectsOf(filter: SuspectFilter, parameters: Parameters): string {
  const { search, currency } = filter;
  const { searched, conditions } = filteredRows(
    { state: 'duplicate_suspect', currency, search, numbers: null, afterLine: 0 },
    parameters,
  );
  const more = [
    ...(filter.rowRef === null ? [] : [`row_ref = ${parameters.add(filter.rowRef)}`]),
    ...(filter.code === null ? [] : [`error_code = ${parameters.add(filter.code)}`]),
  ];
  return `${searched === '' ? 'with' : `${searched},`} ${asked([...conditions, ...more].join(' and '))}`;
}

const asked = (condition: string): string =>
  `asked as materialized (select payment_id, amount, amount_currency from payments where ${condition})`;

/** SQL: the suspects, in their order. */
export const ASKED = `(select coalesce(array_agg(payment_id order by payment_id), '{}') from asked)`;

/** SQL, after `asked`: what they may repeat, and what shows whether more were added since a person saw them. */
const SIMILAR = `similar_rows as materialized (
    select other.payment_id, other.run_id, other.account, runs.file_name, other.line, other.row_ref, other.state, runs.submitted_at,
      case when payment_was_paid(other.state) then coalesce(other.funded_at, other.ended_at) end as paid_at
    from similar_payments(${ASKED}) join payments other using (payment_id) join runs on runs.run_id = other.run_id
  ), whole as (
    select count(*)::int as count, release_hash(${ASKED}, coalesce(array_agg(payment_id), '{}')) as hash from similar_rows
  )`;

/** How many are shown. */
const MAX_SIMILAR = 100;

/** Another row that pays the same to the same account, or has the same reference. */
export interface SimilarPayment {
  paymentId: string;
  runId: string;
  account: string;
  fileName: string;
  line: number;
  rowRef: string;
  state: PaymentState;
  submittedAt: Date;
}

export interface SimilarPayments {
  /** Ordered by submission time: 100 at most. */
  payments: SimilarPayment[];
  count: number;
  /** SHA-256, hex, over the row and all of them: shows whether more were added since a person saw them. */
  hash: string;
}

/** The rows that make a row a suspected duplicate. */
export async function readSimilarPayments(database: Queryable, row: { paymentId: string }): Promise<SimilarPayments> {
  const { rows } = await database.query<SimilarPayment & { count: number; hash: string }>(
    `with ${asked('payment_id = $1')}, ${SIMILAR}
     select payment_id as "paymentId", run_id as "runId", account, file_name as "fileName", line, row_ref as "rowRef", state,
       submitted_at as "submittedAt", whole.count, whole.hash
     from whole left join similar_rows on true order by submitted_at, line limit ${MAX_SIMILAR}`,
    [row.paymentId],
  );
  const [first] = rows;
  if (first === undefined) throw new Error('an aggregate gave no row');
  const { count, hash } = first;
  return { payments: count === 0 ? [] : rows, count, hash };
}

/** A run with rows that suspects may repeat. */
export interface SimilarRun {
  runId: string;
  account: string;
  fileName: string;
  submittedAt: Date;
  rowCount: number;
  paidCount: number;
  /** When the last of them was paid; null: none was. */
  paidAt: Date | null;
}

export interface Suspects {
  rowCount: number;
  amounts: FoundAmount[];
  /** How many of them pay the same to the same account as another one of them. */
  alikeCount: number;
  /** The latest ten, the latest first. */
  runs: SimilarRun[];
  similarCount: number;
  hash: string;
}

const MAX_RUNS = 10;

/** What a release of these suspects would pay, and what they may repeat. */
export async function readSuspects(database: Queryable, runId: string, filter: SuspectFilter): Promise<Suspects> {
  const parameters = new Parameters(runId);
  const { rows } = await database.query<Omit<Suspects, 'runs'> & { runs: (SimilarRun & { submittedAt: string })[] }>(
    `${suspectsOf(filter, parameters)}, ${SIMILAR}
     select (select count(*) from asked)::int as "rowCount",
       (select coalesce(jsonb_agg(jsonb_build_object('currency', amount_currency, 'amount', amount::text) order by amount_currency), '[]')
        from (select amount_currency, sum(amount) as amount from asked group by 1) as sums) as amounts,
       (select coalesce(sum(times), 0) from (select count(*) as times from asked join payments using (payment_id) ${BENEFICIARY}
         group by coalesce(beneficiary.account_hash, beneficiary_fingerprint), ${AMOUNT_COLUMNS.replace('amount,', 'payments.amount,')} having count(*) > 1) as again)::int as "alikeCount",
       (select coalesce(jsonb_agg(to_jsonb(latest) order by "submittedAt" desc, "runId"), '[]') from (
          select run_id as "runId", account, file_name as "fileName", submitted_at as "submittedAt", count(*) as "rowCount",
            count(paid_at) as "paidCount", max(paid_at) as "paidAt"
          from similar_rows group by 1, 2, 3, 4 order by submitted_at desc, run_id limit ${MAX_RUNS}) as latest) as runs,
       whole.count as "similarCount", whole.hash
     from whole`,
    parameters.values,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('an aggregate gave no row');
  return {
    ...found,
    runs: found.runs.map((run) => ({
      ...run,
      submittedAt: new Date(run.submittedAt),
      paidAt: run.paidAt === null ? null : new Date(run.paidAt),
    })),
  };
}
