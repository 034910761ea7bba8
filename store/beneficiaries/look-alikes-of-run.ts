import type { Database } from '../database/database.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import { type PayeeData, runKeyOf } from '../personal-data/payee-data.ts';
import { openDetails, type StoredContent } from '../runs/row-content.ts';
import { addLookAlikeNames, type LookAlikeName, lookAlikeName } from './look-alike-keys.ts';

const ROWS_PER_STATEMENT = 1_000;

interface NamedRun {
  runId: string;
  account: string;
  rowCount: number;
  runKey: string | null;
}

/** Stores by what look-alikes of the names in a run are found. Before the run is proposed: its findings are looked for by these. */
export async function addLookAlikesOfRun(database: Database, payees: PayeeData, runId: string): Promise<void> {
  const { rows } = await database.query<NamedRun>(
    `select run_id as "runId", account, row_count as "rowCount", ${runKeyOf('runs')} as "runKey" from runs where run_id = $1`,
    [runId],
  );
  const [run] = rows;
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  let next = readNames(database, payees, run, 0);
  for (let afterRow = 0; afterRow < run.rowCount; afterRow += ROWS_PER_STATEMENT) {
    const names = await next;
    // The next names are read and hashed while these are stored.
    const stored = addLookAlikeNames(database, run.account, names);
    next = readNames(database, payees, run, afterRow + ROWS_PER_STATEMENT);
    await Promise.all([stored, next]);
  }
}

/** Of the rows after that one. */
async function readNames(
  database: Database,
  payees: PayeeData,
  run: NamedRun,
  afterRow: number,
): Promise<LookAlikeName[]> {
  const { rows } = await database.query<Pick<StoredContent, 'paymentId' | 'encrypted'>>(
    // The first row of each name.
    `select distinct on (name_hash) payment_id as "paymentId", encrypted from payments
     -- guard: keys-of-each-name-stored
     where run_id = $1 and row_number > $2 and row_number <= $3 and name_hash is not null order by name_hash, row_number`,
    [run.runId, afterRow, afterRow + ROWS_PER_STATEMENT],
  );
  return rows.flatMap((row) => {
    // What is damaged is compared with nothing.
    const details = unlessUnreadable(() => openDetails(payees, { ...run, ...row }), null);
    return details === null ? [] : lookAlikeName(payees.hash, details);
  });
}
