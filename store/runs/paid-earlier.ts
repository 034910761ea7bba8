import type { EarlierPayment } from '../../domain/runs/run-finding.ts';
import { openCursor } from '../database/cursor.ts';
import type { Queryable } from '../database/database.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { COUNTS, MAY_REPEAT } from './duplicates.ts';
import { REVIEWED, type ReviewScope } from './review-facts.ts';
import { ACCOUNT_HASH, BENEFICIARY, NAME_HASH } from './reviewed-rows.ts';
import { CONTENT_COLUMNS, openContent, type StoredContent } from './row-content.ts';

/** Rows that pay what another row pays already, or nearly: the same invoice, and the same account with an amount that is close. */

/** How many are named of each row; one more is counted. */
const MAX_NAMED = 10;

/** So many rows with an amount that is close are looked at, those of the run itself among them: otherwise time grows with pairs of rows. */
const MAX_LOOKED_AT = 100;

/** The reviewed rows. $1 run, $2 whether as approved, $3 the time. */
const MINE = `mine as materialized (
    select payments.payment_id, payments.row_number, payments.invoice_key, payments.amount, payments.amount_currency, payments.account,
      ${ACCOUNT_HASH} as account_hash, ${NAME_HASH} as name_hash, coalesce(${ACCOUNT_HASH}, '') || ' ' || coalesce(${NAME_HASH}, '') as who
    from payments ${BENEFICIARY} where ${REVIEWED('$1', '$2')}
  )`;

const OF_COUNTED_RUN = `join runs on runs.run_id = other.run_id and run_counts_as_submitted(runs.state) and runs.submitted_at <= coalesce($3::timestamptz, 'infinity')`;

/**
 * A reference that rows to so many accounts of a file have, suspects among them, is that of no invoice, as "Salary 5/2026": it is repeated at the same account
 * alone, and in the file under the same name alone.
 */
const COMMON_TO_ACCOUNTS = 4;
const COMMON = `common as materialized (
    select invoice_key, count(distinct account_hash) >= ${COMMON_TO_ACCOUNTS} as is_common from payments
    where run_id = $1 and invoice_key is not null group by 1)`;

/** Rows of other runs with the same invoice, by one of the hashes that tell who is paid. */
const sameInvoice = (hash: 'account_hash' | 'name_hash'): string => `
  (select other.payment_id, runs.file_name, runs.submitted_at from payments other ${OF_COUNTED_RUN}
   where other.invoice_key = asked.invoice_key and other.${hash} = asked.${hash} and other.run_id <> $1 and ${COUNTS} limit ${MAX_NAMED + 1})`;

/** The same of rows that name the beneficiary by the provider's id. */
const SAME_INVOICE_BY_ID = `
  (select other.payment_id, runs.file_name, runs.submitted_at from provider_beneficiaries named
   join payments other on other.account = named.account and other.account_hash is null
     and other.instruction #>> '{beneficiary,beneficiaryId}' = named.beneficiary_id and other.invoice_key = asked.invoice_key
   ${OF_COUNTED_RUN} where named.account_hash = asked.account_hash and other.run_id <> $1 and ${COUNTS} limit ${MAX_NAMED + 1})`;

/** The row of the same file before it; of three and more, which have the reference of a contract, another one as well. */
const IN_THE_FILE = `select row_number, other_id as payment_id, null as file_name, null::timestamptz as submitted_at from (
    select row_number, lag(payment_id) over in_file as before_id, coalesce(lead(payment_id) over in_file, lag(payment_id, 2) over in_file) as third_id
    from mine join common using (invoice_key) where account_hash is not null
    window in_file as (partition by invoice_key, account_hash, case when is_common then name_hash end order by row_number)) as in_file
  cross join lateral unnest(array[before_id, third_id]) as other_id where before_id is not null and other_id is not null`;

const SAME_INVOICES = `${MINE}, ${COMMON}, asked as materialized (
    select distinct invoice_key, who, account_hash, case when not is_common then name_hash end as name_hash from mine join common using (invoice_key)
  ), matched as materialized (
    select asked.invoice_key, asked.who, other.* from asked cross join lateral (
      select * from (${sameInvoice('account_hash')} union ${sameInvoice('name_hash')} union ${SAME_INVOICE_BY_ID}) as any_of
      limit ${MAX_NAMED + 1}) as other
  ), found as (
    select mine.row_number, payment_id, file_name, submitted_at
    from (select row_number, invoice_key, who from mine) as mine join matched using (invoice_key, who)
    union all ${IN_THE_FILE}
  )`;

/** Of the same account, with an amount that is close. Those with an equal one are suspected duplicates, unless they are regular payments. */
const CLOSE_AMOUNTS = `${MINE}, found as (
    select mine.row_number, other.payment_id, runs.file_name, runs.submitted_at from mine cross join lateral (
      select payments.* from payments where payments.account_hash = mine.account_hash
        and payments.amount between mine.amount * (1 - (select tolerance from duplicate_terms()))
          and mine.amount * (1 + (select tolerance from duplicate_terms()))
      limit ${MAX_LOOKED_AT}) as other
    ${OF_COUNTED_RUN}
    where other.amount_currency = mine.amount_currency and other.run_id <> $1 and ${COUNTS} and ${MAY_REPEAT}
  )`;

const FOUND = { invoices: SAME_INVOICES, amounts: CLOSE_AMOUNTS } as const;

type Found = keyof typeof FOUND;

function valuesOf({ runId, isApproved, asOf }: ReviewScope): unknown[] {
  return [runId, isApproved, asOf];
}

/** How many other rows pay the same invoice, or a close amount to the same account: by the number of a reviewed row, 0 for none. */
export async function countPaidEarlier(
  database: Queryable,
  scope: ReviewScope,
  found: Found,
): Promise<(rowNumber: number) => number> {
  // A byte for each row: so many are neither named nor looked at.
  let counts = new Uint8ClampedArray(scope.rowCount + 1);
  const rows = await openCursor<{ row_number: number; count: number }>(
    database,
    `earlier_${found}`,
    `with ${FOUND[found]} select row_number, count(*)::int as count from found group by row_number`,
    valuesOf(scope),
  );
  await rows.forEach(({ row_number: rowNumber, count }) => {
    if (rowNumber >= counts.length) {
      const longer = new Uint8ClampedArray(2 * rowNumber);
      longer.set(counts);
      counts = longer;
    }
    counts[rowNumber] = count;
  });
  await rows.close();
  return (rowNumber) => counts[rowNumber] ?? 0;
}

/** The same rows, for some of the reviewed ones: the latest first. */
export async function readPaidEarlier(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  found: Found,
  rowNumbers: readonly number[],
): Promise<Map<number, EarlierPayment[]>> {
  const byRow = new Map<number, EarlierPayment[]>();
  if (rowNumbers.length === 0) return byRow;
  const { rows } = await database.query<StoredEarlier>(
    `with ${FOUND[found]}
     select listed.row_number, listed.file_name as "fileName", ${CONTENT_COLUMNS}, payments.row_ref as "rowRef", payments.account,
       payments.amount::text, payments.amount_currency as currency, payments.state,
       case when payment_money_has_left(payments.state) then local_day(payments.account, coalesce(payments.funded_at, payments.ended_at)) end as "paidOn"
     from (select *, row_number() over (partition by row_number order by submitted_at desc nulls first, payment_id) as nth
       from found where row_number = any($4)) as listed
     join payments using (payment_id) where nth <= ${MAX_NAMED} order by listed.row_number, nth`,
    [...valuesOf(scope), rowNumbers],
  );
  for (const row of rows) {
    const ofRow = byRow.get(row.row_number) ?? [];
    byRow.set(row.row_number, [...ofRow, earlierOf(payees, scope.runId, row)]);
  }
  return byRow;
}

type StoredEarlier = StoredContent &
  Pick<EarlierPayment, 'fileName' | 'rowRef' | 'account' | 'amount' | 'currency' | 'state'> & {
    row_number: number;
    paidOn: string | null;
  };

function earlierOf(payees: PayeeData, runId: string, stored: StoredEarlier): EarlierPayment {
  const { fileName, rowRef, account, amount, currency, state, paidOn } = stored;
  return {
    runId: stored.runId,
    fileName: stored.runId === runId ? null : fileName,
    ...{ rowRef, account, amount, currency, state },
    reference: unlessUnreadable(() => openContent(payees, stored)?.instruction?.paymentReference ?? null, null),
    paidOn,
  };
}
