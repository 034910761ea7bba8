import { areLookAlikes } from '../../domain/beneficiaries/look-alike.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { Queryable } from '../database/database.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import type { ReviewScope } from '../runs/review-facts.ts';
import { BENEFICIARY, BENEFICIARY_COLUMNS } from '../runs/reviewed-rows.ts';
import { readableBeneficiary, type StoredBeneficiary } from '../runs/row-content.ts';
import { readDetailsOfLines } from './beneficiary-accounts.ts';
import { MAY_LOOK_ALIKE } from './look-alike-names.ts';

/** A beneficiary whose name a row's looks like. */
export interface LookAlike {
  known: KnownBeneficiary;
  /** When it was last paid; null: it is in the same file or in the book, or was approved and is not paid. */
  paidAt: Date | null;
  /** Its row in the same file; null: it is of another one. */
  rowRef: string | null;
  /** Its key in the book, where it was confirmed and never paid. */
  bookKey: string | null;
}

/** Rows that are asked for at a time: each may have many candidates. */
const PAGE = 500;

export interface LookAlikes {
  /** The numbers of the rows whose names look like others. */
  rows: ReadonlySet<number>;
  /** Those of the rows whose names are like none that they were compared with, and were not compared with all. */
  notCompared: ReadonlySet<number>;
  /** The others, of the first of the rows that look like others. */
  listed: ReadonlyMap<number, LookAlike>;
}

/**
 * The rows whose names look like others that were paid, that are in the same file, or that the book has, at another account. `rowNumbers`: in
 * the order of the file; `maxListed`: of so many rows the other is kept.
 */
export async function readLookAlikes(
  database: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  { rowNumbers, maxListed }: { rowNumbers: readonly number[]; maxListed: number },
): Promise<LookAlikes> {
  const rows = new Set<number>();
  const notCompared = new Set<number>();
  const listed = new Map<number, LookAlike>();
  for (let from = 0; from < rowNumbers.length; from += PAGE) {
    const found = await lookAlikesOf(database, payees, scope, rowNumbers.slice(from, from + PAGE));
    for (const [rowNumber, other] of found) {
      // guard: incomplete-comparison-alarms
      if (other === 'not_compared') notCompared.add(rowNumber);
      if (other === 'not_compared') continue;
      rows.add(rowNumber);
      if (listed.size < maxListed) listed.set(rowNumber, other);
    }
  }
  return { rows, notCompared, listed };
}

interface Candidate extends Omit<LookAlike, 'known'> {
  rowNumber: number;
  /** Without both: not all were looked at. */
  paymentId: string | null;
  lineId: string | null;
}

/** In the order of the rows. */
async function lookAlikesOf(
  database: Queryable,
  payees: PayeeData,
  { runId, account, asOf, isApproved }: ReviewScope,
  rowNumbers: readonly number[],
): Promise<Map<number, LookAlike | 'not_compared'>> {
  const found = new Map<number, LookAlike | 'not_compared'>();
  const { rows: candidates } = await database.query<Candidate>(MAY_LOOK_ALIKE, [
    ...[runId, rowNumbers, account, asOf, isApproved],
  ]);
  if (candidates.length === 0) return found;
  const mine = await readNames(database, payees, 'row_number', {
    where: 'run_id = $1 and row_number = any($2)',
    values: [runId, distinct(candidates.map(({ rowNumber }) => rowNumber))],
  });
  const paid = await readNames(database, payees, 'payment_id', {
    where: 'payment_id = any($1)',
    values: [distinct(candidates.map(({ paymentId }) => paymentId))],
  });
  const ofBook = await readDetailsOfLines(database, payees, distinct(candidates.map(({ lineId }) => lineId)));
  for (const { rowNumber, paymentId, lineId, ...other } of candidates) {
    if (found.has(rowNumber)) continue;
    const own = mine.get(rowNumber);
    const known = paid.get(paymentId ?? '') ?? ofBook.get(lineId ?? '');
    if (paymentId === null && lineId === null) found.set(rowNumber, 'not_compared');
    else if (own !== undefined && known !== undefined && areLookAlikes(own, known)) {
      found.set(rowNumber, { known, ...other });
    }
  }
  return found;
}

function distinct<T>(values: readonly (T | null)[]): T[] {
  return [...new Set(values)].filter((value) => value !== null);
}

/** The beneficiaries of rows, by a column of theirs; without those that cannot be read. */
async function readNames<K extends string | number>(
  database: Queryable,
  payees: PayeeData,
  key: 'row_number' | 'payment_id',
  { where, values }: { where: string; values: readonly unknown[] },
): Promise<Map<K, KnownBeneficiary>> {
  const { rows } = await database.query<StoredBeneficiary & { key: K }>(
    `select payments.${key} as key, ${BENEFICIARY_COLUMNS} from payments ${BENEFICIARY} where payments.${where}`,
    [...values],
  );
  return new Map(
    rows.flatMap((row) => {
      const known = readableBeneficiary(payees, row);
      return known === null ? [] : [[row.key, known] as const];
    }),
  );
}
