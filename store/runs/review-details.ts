import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { Queryable } from '../database/database.ts';
import { EARLIER, type ReviewScope } from './review-facts.ts';
import { RELEASES } from './row-releases.ts';
import { ACCOUNT_HASH, KNOWN, BENEFICIARY, NAME_HASH } from './reviewed-rows.ts';

/** The beneficiaries and releases behind findings, by row number. Personal data. */

/** $1 run, $2 numbers of its rows. */
const ASKED = `asked as materialized (
  select row_number, ${NAME_HASH} as name, ${ACCOUNT_HASH} as account
  from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2))`;
const MAX_NAMES = 100;

export async function readBeneficiariesOf(
  database: Queryable,
  runId: string,
  rowNumbers: readonly number[],
): Promise<Map<number, KnownBeneficiary | null>> {
  const { rows } = await database.query<{ row_number: number; known: KnownBeneficiary | null }>(
    `select row_number, ${KNOWN} as known from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2)`,
    [runId, rowNumbers],
  );
  return new Map(rows.map((row) => [row.row_number, row.known]));
}

/** A beneficiary as it was paid at that time. */
export interface PaidBeneficiary {
  known: KnownBeneficiary | null;
  paidAt: Date;
}

export interface OtherAccount extends PaidBeneficiary {
  /** How many accounts other than the row's were paid under its name. */
  accounts: number;
}

/** The other account that was last paid under the name of each row. */
export async function readOtherAccounts(
  database: Queryable,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, OtherAccount>> {
  const { rows } = await database.query<OtherAccount & { row_number: number }>(
    `with ${ASKED}
     select asked.row_number, ${KNOWN} as known, last.paid_at as "paidAt", last.accounts from asked
     cross join lateral (
       select latest.*, (count(*) over ())::int as accounts from (
         select distinct on (paid.account_hash) paid.payment_id, paid.paid_at
         from paid_under_name($3, asked.name) paid where ${EARLIER} and paid.account_hash is distinct from asked.account
         order by paid.account_hash, paid.paid_at desc) latest
       order by latest.paid_at desc limit 1) last
     join payments using (payment_id) ${BENEFICIARY}`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  return byRow(rows);
}

/** How the account of each row was last paid under the row's name. */
export async function readLastRoutings(
  database: Queryable,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, PaidBeneficiary>> {
  const { rows } = await database.query<PaidBeneficiary & { row_number: number }>(
    `with ${ASKED}
     select asked.row_number, ${KNOWN} as known, last.paid_at as "paidAt" from asked
     cross join lateral (
       select paid.payment_id, paid.paid_at from paid_under_name($3, asked.name) paid
       where ${EARLIER} and paid.account_hash = asked.account order by paid.paid_at desc limit 1) last
     join payments using (payment_id) ${BENEFICIARY}`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  return byRow(rows);
}

export interface NamesPaid {
  /** One beneficiary per name, the last paid first: 100 at most. */
  known: (KnownBeneficiary | null)[];
  nameCount: number;
  paidAt: Date;
}

/** The names under which the account of each row was paid. */
export async function readNamesPaid(
  database: Queryable,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, NamesPaid>> {
  const { rows } = await database.query<NamesPaid & { row_number: number }>(
    `with ${ASKED}
     select asked.row_number, jsonb_agg(${KNOWN} order by latest.paid_at desc) as known,
       max(latest.names)::int as "nameCount", max(latest.paid_at) as "paidAt" from asked
     cross join lateral (
       select each_name.*, count(*) over () as names from (
         select distinct on (paid.name_hash) paid.payment_id, paid.paid_at
         from paid_to_account($3, asked.account) paid where ${EARLIER}
         order by paid.name_hash, paid.paid_at desc) each_name
       order by each_name.paid_at desc limit ${MAX_NAMES}) latest
     join payments using (payment_id) ${BENEFICIARY}
     group by asked.row_number`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  return byRow(rows);
}

export interface RowRelease {
  releasedBy: string;
  reason: string | null;
}

/** Who released each row, and why. */
export async function readReleasesOf(
  database: Queryable,
  runId: string,
  rowNumbers: readonly number[],
): Promise<Map<number, RowRelease>> {
  const { rows } = await database.query<RowRelease & { row_number: number }>(
    `select row_number, users.name as "releasedBy", remarks.body as reason
     from ${RELEASES} where payments.run_id = $1 and row_number = any($2)`,
    [runId, rowNumbers],
  );
  return byRow(rows);
}

function byRow<Row extends { row_number: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.row_number, row]));
}
