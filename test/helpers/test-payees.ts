import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Database } from '../../store/database/database.ts';
import { encrypt } from '../../store/personal-data/encryption.ts';
import { runKeyName, unwrapKey } from '../../store/personal-data/key-wrapping.ts';
import { openPayeeData, PayeeData } from '../../store/personal-data/payee-data.ts';
import { CONTENT_COLUMNS, openContent, type StoredContent } from '../../store/runs/row-content.ts';
import { aDataKey, TEST_DATA_KEYS } from './test-data-keys.ts';

/** What a test's database has of payees. */
export function payeesIn(database: Database): Promise<PayeeData> {
  return openPayeeData(database, TEST_DATA_KEYS);
}

/** Of no database. */
export const TEST_PAYEES = new PayeeData(TEST_DATA_KEYS, aDataKey('payees').bytes);

/** The whole instructions of rows, in the order of the file. `where` is SQL over `payments`. */
export async function instructionsOf(
  database: Database,
  where: string,
  values: readonly unknown[],
): Promise<PaymentInstruction[]> {
  const payees = await payeesIn(database);
  const { rows } = await database.query<StoredContent>(
    `select ${CONTENT_COLUMNS} from payments where ${where} order by row_number`,
    [...values],
  );
  return rows.flatMap((row) => openContent(payees, row)?.instruction ?? []);
}

/** The lines of a run whose account's holder has all these words, in small letters and without accents. */
export async function linesNaming(database: Database, runId: string, words: readonly string[]): Promise<number[]> {
  const instructions = await instructionsOf(database, 'run_id = $1', [runId]);
  return instructions.flatMap(({ line, beneficiary }) => {
    const name = beneficiary.kind === 'details' ? beneficiary.details.bankAccount.bankAccountHolderName : '';
    const ofName = name.replace('Ö', 'o').toLowerCase().split(' ');
    return words.every((word) => ofName.includes(word)) ? [line] : [];
  });
}

/** The last four characters of the account of a row that describes its beneficiary. */
export async function accountEndOf(database: Database, runId: string, rowNumber: number): Promise<string> {
  const [row] = await instructionsOf(database, 'run_id = $1 and row_number = $2', [runId, rowNumber]);
  if (row?.beneficiary.kind !== 'details') throw new Error('the row does not describe its beneficiary');
  const { iban, accountNumber } = row.beneficiary.details.bankAccount;
  return (iban ?? accountNumber ?? '').slice(-4);
}

/** Other bytes for the only file of a run, encrypted as by a server that was taken over. */
export async function replaceFile(database: Database, runId: string, bytes: Uint8Array): Promise<void> {
  const { rows } = await database.query<{ name: string; wrapped: Buffer; wrappedBy: string }>(
    `select name, wrapped, wrapped_by as "wrappedBy" from supporting_files join run_keys using (run_id) where run_id = $1`,
    [runId],
  );
  const [file] = rows;
  if (file === undefined) throw new Error('the run has no file');
  const key = unwrapKey(TEST_DATA_KEYS, runKeyName(runId), file);
  const encrypted = encrypt(key, `file ${runId} ${file.name}`, bytes);
  await database.query('update supporting_files set encrypted = $2 where run_id = $1', [runId, encrypted]);
}
