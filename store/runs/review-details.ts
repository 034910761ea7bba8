import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { Queryable } from '../database/database.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { EARLIER, KNOWN_UNDER_NAME, type ReviewScope } from './review-facts.ts';
import { RELEASES } from './row-releases.ts';
import { ACCOUNT_HASH, BENEFICIARY, BENEFICIARY_COLUMNS, NAME_HASH } from './reviewed-rows.ts';
import { readableBeneficiary, type StoredBeneficiary } from './row-content.ts';

/** The beneficiaries and releases behind findings, by row number. Personal data. */

/** $1 run, $2 numbers of its rows. */
const ASKED = `asked as materialized (
  select row_number, ${NAME_HASH} as name, ${ACCOUNT_HASH} as account
  from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2))`;
const MAX_NAMES = 100;

export async function readBeneficiariesOf(
  database: Queryable,
  payees: PayeeData,
  runId: string,
  rowNumbers: readonly number[],
): Promise<Map<number, KnownBeneficiary | null>> {
  const { rows } = await database.query<StoredBeneficiary & { row_number: number }>(
    `select row_number, ${BENEFICIARY_COLUMNS} from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2)`,
    [runId, rowNumbers],
  );
  return new Map(rows.map((row) => [row.row_number, readableBeneficiary(payees, row)]));
}

/** A beneficiary as it was paid at that time. */
export interface PaidBeneficiary {
  /** Null: not known, or erased. */
  known: KnownBeneficiary | null;
  paidAt: Date;
}

export interface OtherAccount extends Omit<PaidBeneficiary, 'paidAt'> {
  /** Null: people approved it, and it is not paid. */
  paidAt: Date | null;
  /** How many accounts other than the row's were paid under its name. */
  accounts: number;
}

interface StoredPaid extends StoredBeneficiary {
  row_number: number;
  paidAt: Date;
}

/** The other account that was last paid under the name of each row; else the one that was last approved. */
export async function readOtherAccounts(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, OtherAccount>> {
  const { rows } = await database.query<Omit<StoredPaid, 'paidAt'> & { paidAt: Date | null; accounts: number }>(
    `with ${ASKED}
     select asked.row_number, ${BENEFICIARY_COLUMNS}, case when last.is_paid then last.paid_at end as "paidAt", last.accounts from asked
     cross join lateral (
       select latest.*, (count(*) over ())::int as accounts from (
         select distinct on (paid.account_hash) paid.payment_id, paid.paid_at, paid.is_paid
         from ${KNOWN_UNDER_NAME('asked.name')} where ${EARLIER} and paid.account_hash is distinct from asked.account
         order by paid.account_hash, paid.is_paid desc, paid.paid_at desc) latest
       order by latest.is_paid desc, latest.paid_at desc limit 1) last
     join payments using (payment_id) ${BENEFICIARY}`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  return new Map(
    rows.map((row) => [
      row.row_number,
      { known: readableBeneficiary(payees, row), paidAt: row.paidAt, accounts: row.accounts },
    ]),
  );
}

/** How the account of each row was last paid under the row's name. */
export async function readLastRoutings(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, PaidBeneficiary>> {
  const { rows } = await database.query<StoredPaid>(
    `with ${ASKED}
     select asked.row_number, ${BENEFICIARY_COLUMNS}, last.paid_at as "paidAt" from asked
     cross join lateral (
       select paid.payment_id, paid.paid_at from paid_under_name($3, asked.name) paid
       where ${EARLIER} and paid.account_hash = asked.account order by paid.paid_at desc limit 1) last
     join payments using (payment_id) ${BENEFICIARY}`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  return new Map(rows.map((row) => [row.row_number, { known: readableBeneficiary(payees, row), paidAt: row.paidAt }]));
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
  payees: PayeeData,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, NamesPaid>> {
  const { rows } = await database.query<StoredPaid & { nameCount: number }>(
    `with ${ASKED}
     select asked.row_number, ${BENEFICIARY_COLUMNS}, latest.names::int as "nameCount", latest.paid_at as "paidAt" from asked
     cross join lateral (
       select each_name.*, count(*) over () as names from (
         select distinct on (paid.name_hash) paid.payment_id, paid.paid_at
         from paid_to_account($3, asked.account) paid where ${EARLIER}
         order by paid.name_hash, paid.paid_at desc) each_name
       order by each_name.paid_at desc limit ${MAX_NAMES}) latest
     join payments using (payment_id) ${BENEFICIARY}
     order by asked.row_number, latest.paid_at desc`,
    [scope.runId, rowNumbers, scope.account, scope.asOf],
  );
  const names = new Map<number, NamesPaid>();
  for (const row of rows) {
    const { row_number: rowNumber, nameCount, paidAt } = row;
    const ofRow = names.get(rowNumber) ?? { known: [], nameCount, paidAt };
    ofRow.known.push(readableBeneficiary(payees, row));
    names.set(rowNumber, ofRow);
  }
  return names;
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
