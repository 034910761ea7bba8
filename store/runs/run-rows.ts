import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { addRunAs } from '../approvals/authority.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { addKeyedSubmission } from './keyed-submissions.ts';
import { countOf, type RowBatch } from './new-row.ts';
import type { FileHeader } from './runs.ts';
import type { TokenProof } from '../users/token-proof.ts';

export interface NewRun {
  runId: string;
  account: string;
  fileName: string;
  fileSha256: string;
  header: FileHeader;
  rows: readonly RowBatch[];
  /** Of everything that was submitted, where it came with a key. */
  submissionSha256: string | null;
  /** Taken one by one. */
  files: Iterable<NewFile> | AsyncIterable<NewFile>;
}

/** A supporting file as it is stored with its run. */
export interface NewFile {
  name: string;
  contentType: string;
  bytes: Uint8Array;
  sha256: string;
}

/**
 * Stores a run with all its rows and files in its maker's name, or nothing of it. False: what came under its key is there.
 * @throws Refused
 */
export async function addRun(database: Database, maker: TokenProof, run: NewRun): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (run.submissionSha256 !== null && (await isThere(transaction, run.runId))) return false;
    await addRunAs(transaction, maker, { ...run, rowCount: countOf(run.rows) });
    if (run.submissionSha256 !== null) await addKeyedSubmission(transaction, run.runId, run.submissionSha256);
    for (const batch of run.rows) await addRows(transaction, run, batch);
    for await (const file of run.files) {
      await transaction.query(
        `insert into supporting_files (run_id, name, content_type, size_bytes, sha256, content) values ($1, $2, $3, $4, $5, $6)`,
        [run.runId, file.name, file.contentType, file.bytes.byteLength, file.sha256, Buffer.from(file.bytes)],
      );
    }
    return true;
  });
}

/** Of two that submit under one key at once, one waits for the other. */
async function isThere(transaction: Queryable, runId: string): Promise<boolean> {
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [runId]);
  const { rows } = await transaction.query('select from runs where run_id = $1', [runId]);
  return rows.length > 0;
}

async function addRows(transaction: Queryable, run: NewRun, { json }: RowBatch): Promise<void> {
  await transaction.query(
    `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, cells, instruction, row_hash,
       beneficiary_hash, beneficiary_fingerprint, account_hash, routing_hash, name_hash, sell_currency, buy_currency, amount, amount_side,
       beneficiary_id, error_code, error_message)
     select payment_id, $1, $2, row_number, line, row_ref, state, cells, instruction, row_hash,
       beneficiary_hash, beneficiary_fingerprint, account_hash, routing_hash, name_hash, sell_currency, buy_currency, amount, amount_side,
       beneficiary_id, error_code, error_message
     from jsonb_to_recordset($3::jsonb) as rows (payment_id uuid, row_number integer, line integer, row_ref text, state text,
       cells jsonb, instruction jsonb, row_hash text, beneficiary_hash text, beneficiary_fingerprint text, account_hash text,
       routing_hash text, name_hash text, sell_currency text, buy_currency text, amount numeric, amount_side text, beneficiary_id text, error_code text, error_message text)`,
    [run.runId, run.account, json],
  );
}

/** One row of a run for lists and result files. Amounts are decimal strings. */
export interface StoredRow {
  paymentId: string;
  rowNumber: number;
  line: number;
  rowRef: string;
  state: PaymentState;
  attempt: number;
  cells: string[];
  instruction: PaymentInstruction | null;
  /** What the provider shows of a beneficiary that the row names by its id; null where that was not read. */
  namedBeneficiary: KnownBeneficiary | null;
  amount: string | null;
  providerPaymentId: string | null;
  sellAmount: string | null;
  buyAmount: string | null;
  rate: string | null;
  fee: string | null;
  totalAmount: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  quotedAt: Date | null;
  createdAt: Date | null;
  fundedAt: Date | null;
  endedAt: Date | null;
}

/** What became of a row, as `StoredRow` names it. */
export const OUTCOME_COLUMNS = `line, row_ref as "rowRef", state, attempt, amount::text,
  provider_payment_id as "providerPaymentId", sell_amount::text as "sellAmount", buy_amount::text as "buyAmount",
  rate::text, fee::text, total_amount::text as "totalAmount", error_code as "errorCode",
  error_message as "errorMessage", quoted_at as "quotedAt", created_at as "createdAt", funded_at as "fundedAt",
  ended_at as "endedAt"`;
const ROW_COLUMNS = `payment_id as "paymentId", row_number as "rowNumber", ${OUTCOME_COLUMNS}, cells, instruction, (
    select details from provider_beneficiaries named where named.account = payments.account
      and payments.account_hash is null and named.beneficiary_id = instruction #>> '{beneficiary,beneficiaryId}'
  ) as "namedBeneficiary"`;

/** Rows in input order, after a line, at most `limit`; of one state only where one is given. */
export async function listRows(
  database: Queryable,
  runId: string,
  page: { afterLine: number; limit: number; state: PaymentState | null },
): Promise<StoredRow[]> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments
     where run_id = $1 and line > $2 and ($4::text is null or state = $4)
     order by line limit $3`,
    [runId, page.afterLine, page.limit, page.state],
  );
  return rows;
}

/** The row of that `row_ref`, or null. Of invalid ones that share it with a good one, the good one is meant. */
export async function findRow(database: Queryable, runId: string, rowRef: string): Promise<StoredRow | null> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments
     where run_id = $1 and row_ref = $2 order by state = 'invalid', line limit 1`,
    [runId, rowRef],
  );
  return rows[0] ?? null;
}
