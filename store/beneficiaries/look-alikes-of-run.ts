import type { Database } from '../database/database.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { CONTENT_COLUMNS, openContent, type StoredContent } from '../runs/row-content.ts';
import { addLookAlikeNames, type LookAlikeName, lookAlikeName } from './look-alike-keys.ts';

const ROWS_PER_STATEMENT = 1_000;

/** Stores by what look-alikes of the names in a run are found. Before the run is proposed: its findings are looked for by these. */
export async function addLookAlikesOfRun(database: Database, payees: PayeeData, runId: string): Promise<void> {
  const { rows } = await database.query<{ account: string; rowCount: number }>(
    'select account, row_count as "rowCount" from runs where run_id = $1',
    [runId],
  );
  const [run] = rows;
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  for (let afterRow = 0; afterRow < run.rowCount; afterRow += ROWS_PER_STATEMENT) {
    const { rows: named } = await database.query<StoredContent>(
      // The first row of each name.
      `select distinct on (name_hash) ${CONTENT_COLUMNS} from payments
       -- guard: keys-of-each-name-stored
       where run_id = $1 and row_number > $2 and row_number <= $3 and name_hash is not null order by name_hash, row_number`,
      [runId, afterRow, afterRow + ROWS_PER_STATEMENT],
    );
    const names = named.flatMap((row) => nameOf(payees, row) ?? []);
    await addLookAlikeNames(database, run.account, names);
  }
}

/** Null: what is damaged is compared with nothing. */
function nameOf(payees: PayeeData, row: StoredContent): LookAlikeName | null {
  const beneficiary = unlessUnreadable(() => openContent(payees, row)?.instruction?.beneficiary, undefined);
  return beneficiary?.kind === 'details' ? lookAlikeName(payees.hash, beneficiary.details) : null;
}
