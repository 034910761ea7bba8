import type { Queryable } from '../database/database.ts';
import { DecryptionFailed } from '../personal-data/encryption.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { REVIEWED, type ReviewScope } from './review-facts.ts';
import { BENEFICIARY, BENEFICIARY_COLUMNS } from './reviewed-rows.ts';
import { openBeneficiary, openContent, type StoredBeneficiary } from './row-content.ts';

/** At a time: all rows of a large run, with what is encrypted of them, would fill the memory. */
const PAGE = 2_000;

/** The numbers of the reviewed rows of which nobody can read whom they pay: what is stored of them is damaged. @throws DataKeyMissing */
export async function listDamagedRows(
  database: Queryable,
  payees: PayeeData,
  { runId, isApproved }: ReviewScope,
): Promise<ReadonlySet<number>> {
  const damaged = new Set<number>();
  for (let last = -1; ; ) {
    const { rows } = await database.query<StoredBeneficiary & { row_number: number }>(
      `select row_number, ${BENEFICIARY_COLUMNS} from payments ${BENEFICIARY}
       where ${REVIEWED('$1', '$2')} and row_number > $3 order by row_number limit ${PAGE}`,
      [runId, isApproved, last],
    );
    for (const row of rows) if (isDamaged(payees, row)) damaged.add(row.row_number);
    if (rows.length < PAGE) return damaged;
    last = rows.at(-1)?.row_number ?? last;
  }
}

function isDamaged(payees: PayeeData, row: StoredBeneficiary): boolean {
  try {
    openContent(payees, row);
    openBeneficiary(payees, row);
    return false;
  } catch (error) {
    if (error instanceof DecryptionFailed) return true;
    throw error;
  }
}
