import type { Database } from '../database/database.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { CONTENT_COLUMNS, openContent, type StoredContent } from '../runs/row-content.ts';
import { addLookAlikeNames, type LookAlikeName, lookAlikeName } from './look-alike-keys.ts';

const ROWS_PER_STATEMENT = 1_000;

/**
 * Stores by what look-alikes of the names in a run are found, of those that are not known yet. Before the run is proposed: its findings are
 * looked for by these.
 */
export async function addLookAlikesOfRun(database: Database, payees: PayeeData, runId: string): Promise<void> {
  for (let afterRow = 0; ; afterRow += ROWS_PER_STATEMENT) {
    const { account, rows, isLast } = await readNewNames(database, runId, afterRow);
    await addLookAlikeNames(
      database,
      account,
      rows.flatMap((row) => nameOf(payees, row) ?? []),
    );
    if (isLast) return;
  }
}

/** The first row of each name among some rows of a run, if the name is not known. */
async function readNewNames(
  database: Database,
  runId: string,
  afterRow: number,
): Promise<{ account: string; rows: StoredContent[]; isLast: boolean }> {
  const { rows } = await database.query<StoredContent>(
    `select distinct on (name_hash) ${CONTENT_COLUMNS} from payments
     where run_id = $1 and row_number > $2 and row_number <= $3 and name_hash is not null
       and not exists (select from look_alike_keys known where known.account = payments.account and known.name_hash = payments.name_hash)
     order by name_hash, row_number`,
    [runId, afterRow, afterRow + ROWS_PER_STATEMENT],
  );
  const { rows: runs } = await database.query<{ account: string; isLast: boolean }>(
    'select account, row_count <= $2 as "isLast" from runs where run_id = $1',
    [runId, afterRow + ROWS_PER_STATEMENT],
  );
  const [run] = runs;
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  return { ...run, rows };
}

/** Null: what is damaged is compared with nothing. */
function nameOf(payees: PayeeData, row: StoredContent): LookAlikeName | null {
  const beneficiary = unlessUnreadable(() => openContent(payees, row)?.instruction?.beneficiary, undefined);
  return beneficiary?.kind === 'details' ? lookAlikeName(payees.hash, beneficiary.details) : null;
}
