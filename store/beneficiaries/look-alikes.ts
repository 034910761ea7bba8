import { areLookAlikes } from '../../domain/beneficiaries/look-alike.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { Queryable } from '../database/database.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { EARLIER, KNOWN_UNDER_NAME, REVIEWED, type ReviewScope } from '../runs/review-facts.ts';
import { ACCOUNT_HASH, BENEFICIARY, BENEFICIARY_COLUMNS, NAME_HASH } from '../runs/reviewed-rows.ts';
import { readableBeneficiary, type StoredBeneficiary } from '../runs/row-content.ts';

/** A beneficiary whose name a row's looks like. */
export interface LookAlike {
  known: KnownBeneficiary;
  /** When it was last paid; null: it is in the same file, or was approved and is not paid. */
  paidAt: Date | null;
  /** Its row in the same file; null: it is of another one. */
  rowRef: string | null;
}

/** More names that share a key with one are not compared with it. */
const MAX_NAMES_OF_A_KEY = 50;

/** $1 run, $2 numbers of its rows, $3 account: the other names that may look like theirs. */
const ASKED = `asked as materialized (
    select row_number, ${NAME_HASH} as name, ${ACCOUNT_HASH} as account
    from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2)
  ), may_look as materialized (
    select distinct asked.*, other.name_hash as other from asked
    join look_alike_keys mine on mine.account = $3 and mine.name_hash = asked.name
    cross join lateral (select keys.name_hash from look_alike_keys keys where keys.account = $3 and keys.key = mine.key
      and keys.name_hash <> mine.name_hash order by keys.name_hash limit ${MAX_NAMES_OF_A_KEY}) other
  )`;

/** The last payment under such a name, or the last one that was approved, unless it went to the account of the row as well. $4 the time. */
const PAID = `with ${ASKED}
  select may_look.row_number, ${BENEFICIARY_COLUMNS}, last.paid_at as "paidAt", null as "rowRef" from may_look
  cross join lateral (
    select (array_agg(paid.payment_id order by paid.is_paid desc, paid.paid_at desc))[1] as payment_id,
      max(paid.paid_at) filter (where paid.is_paid) as paid_at
    from ${KNOWN_UNDER_NAME('may_look.other')} where ${EARLIER} having not bool_or(paid.account_hash is not distinct from may_look.account)) last
  join payments using (payment_id) ${BENEFICIARY} order by may_look.row_number, last.paid_at desc nulls last`;

/** The first row of the same file with such a name and another account, before the row. */
const IN_THE_FILE = `with ${ASKED}
  select may_look.row_number, ${BENEFICIARY_COLUMNS}, null as "paidAt", payments.row_ref as "rowRef" from may_look
  cross join lateral (
    select payments.payment_id from payments where payments.account = $3 and payments.name_hash = may_look.other
      and payments.row_number < may_look.row_number and payments.account_hash is distinct from may_look.account
      and ${REVIEWED('$1', '$4')} order by payments.row_number limit 1) first
  join payments using (payment_id) ${BENEFICIARY} order by may_look.row_number, payments.row_number`;

/** Rows that are asked for at a time: each may have many candidates. */
const PAGE = 500;

export interface LookAlikes {
  /** The numbers of the rows whose names look like others. */
  rows: ReadonlySet<number>;
  /** The others, of the first of these rows. */
  listed: ReadonlyMap<number, LookAlike>;
}

/**
 * The rows whose names look like others that were paid, or that are in the same file, at another account. `rowNumbers`: in the order of the
 * file; `maxListed`: of so many rows the other is kept.
 */
export async function readLookAlikes(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  { rowNumbers, maxListed }: { rowNumbers: readonly number[]; maxListed: number },
): Promise<LookAlikes> {
  const rows = new Set<number>();
  const listed = new Map<number, LookAlike>();
  for (let from = 0; from < rowNumbers.length; from += PAGE) {
    const found = await lookAlikesOf(database, payees, scope, rowNumbers.slice(from, from + PAGE));
    for (const rowNumber of [...found.keys()].sort((a, b) => a - b)) {
      const other = found.get(rowNumber);
      rows.add(rowNumber);
      if (other !== undefined && listed.size < maxListed) listed.set(rowNumber, other);
    }
  }
  return { rows, listed };
}

async function lookAlikesOf(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, LookAlike>> {
  const found = new Map<number, LookAlike>();
  const { runId, account, asOf, isApproved } = scope;
  const paid = await database.query<Candidate>(PAID, [runId, rowNumbers, account, asOf]);
  const inFile = await database.query<Candidate>(IN_THE_FILE, [runId, rowNumbers, account, isApproved]);
  const candidates = [...paid.rows, ...inFile.rows];
  if (candidates.length === 0) return found;
  const mine = await readMine(database, payees, runId, candidates);
  for (const { row_number: rowNumber, paidAt, rowRef, ...stored } of candidates) {
    const own = mine.get(rowNumber);
    if (found.has(rowNumber) || own === undefined) continue;
    const known = readableBeneficiary(payees, stored);
    if (known !== null && areLookAlikes(own, known)) found.set(rowNumber, { known, paidAt, rowRef });
  }
  return found;
}

type Candidate = StoredBeneficiary & Omit<LookAlike, 'known'> & { row_number: number };

async function readMine(
  database: Queryable,
  payees: PayeeData,
  runId: string,
  candidates: readonly Candidate[],
): Promise<Map<number, KnownBeneficiary>> {
  const { rows } = await database.query<StoredBeneficiary & { row_number: number }>(
    `select row_number, ${BENEFICIARY_COLUMNS} from payments ${BENEFICIARY} where payments.run_id = $1 and row_number = any($2)`,
    [runId, [...new Set(candidates.map((candidate) => candidate.row_number))]],
  );
  return new Map(
    rows.flatMap((row) => {
      const known = readableBeneficiary(payees, row);
      return known === null ? [] : [[row.row_number, known]];
    }),
  );
}
