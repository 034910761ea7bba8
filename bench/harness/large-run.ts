import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { keptDataKeys } from '../../config/data-key-file.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { type NewRow, ROWS_PER_BATCH } from '../../domain/runs/new-row.ts';
import { openPayeeData, type RunKey } from '../../store/personal-data/payee-data.ts';
import {
  CONTENT_COLUMNS,
  INSERT_ROWS,
  openContent,
  rowBatch,
  type StoredContent,
} from '../../store/runs/row-content.ts';
import { benchRows } from './bench-rows.ts';
import { type BenchStack, openStackDatabase } from './bench-stack.ts';
import { proposeRun } from './pay-run.ts';

export interface LargeRun {
  runId: string;
  /** From the first row to the last. */
  secondsToFill: number;
}

/**
 * A run in progress of any number of rows: a row of a submitted run, repeated as the intake writes it,
 * each with a reference, an amount, a name and hashes of its own. Twelve of twenty are paid. The intake would refuse those states, so its
 * trigger rests meanwhile. No worker may run afterwards: it would pay the rest.
 */
export async function fillLargeRun(
  stack: BenchStack,
  rowCount: number,
  report: (line: string) => void,
): Promise<LargeRun> {
  const patternId = await submitPattern(stack);
  const database = openStackDatabase(stack);
  const runId = randomUUID();
  const begunMs = performance.now();
  try {
    await inOneTransaction(database, async (client) => {
      await client.query('alter table payments disable trigger payments_say_what_they_are');
      const { key, pattern, account } = await patternOf(stack, database, { runId, patternId });
      await addRun(client, { key, patternId, rowCount });
      for (let from = 0; from < rowCount; from += ROWS_PER_BATCH) {
        const count = Math.min(ROWS_PER_BATCH, rowCount - from);
        const rows = Array.from({ length: count }, (_, index) => rowLike(pattern, from + index + 1));
        await client.query(INSERT_ROWS, [runId, account, withStates(rowBatch(key, rows).json)]);
        if (from % 200_000 === 0) report(`console: ${from} of ${rowCount} rows are there`);
      }
      await client.query('alter table payments enable trigger payments_say_what_they_are');
    });
    const secondsToFill = (performance.now() - begunMs) / 1_000;
    await database.query('vacuum analyze payments');
    // Gigabytes that are still to be written would be written while pages are opened.
    await database.query('checkpoint');
    return { runId, secondsToFill };
  } finally {
    await database.end();
  }
}

/** The worker knows what the provider supports, which the check of a file needs. */
async function submitPattern(stack: BenchStack): Promise<string> {
  const worker = await stack.startWorker();
  try {
    return await proposeRun(stack, benchRows(1, 'pattern'));
  } finally {
    await worker.stop();
  }
}

async function inOneTransaction(database: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** The row that is repeated, and the key of the new run. */
async function patternOf(
  { home }: BenchStack,
  database: Pool,
  { runId, patternId }: { runId: string; patternId: string },
): Promise<{ key: RunKey; pattern: PaymentInstruction; account: string }> {
  const keys = keptDataKeys(home);
  if (keys === null) throw new Error('the stack has no data key');
  const payees = await openPayeeData(database, keys);
  const { rows } = await database.query<StoredContent & { account: string }>(
    `select account, ${CONTENT_COLUMNS} from payments where run_id = $1`,
    [patternId],
  );
  const [stored] = rows;
  const pattern = stored === undefined ? null : (openContent(payees, stored)?.instruction ?? null);
  if (stored === undefined || pattern === null) throw new Error('there is no row to repeat');
  return { key: payees.newRunKey(runId), pattern, account: stored.account };
}

async function addRun(
  client: PoolClient,
  { key, patternId, rowCount }: { key: RunKey; patternId: string; rowCount: number },
): Promise<void> {
  await client.query(
    `insert into runs (run_id, account, file_name, file_sha256, header, row_count, state, submitted_by, token_id, started_at, decide_within)
     select $1, account, 'large.csv', file_sha256, header, $3, 'running', submitted_by, token_id, clock_timestamp(), decide_within
     from runs where run_id = $2`,
    [key.runId, patternId, rowCount],
  );
  const { wrapped, wrappedBy } = key.stored;
  await client.query('insert into run_keys (run_id, wrapped, wrapped_by) values ($1, $2, $3)', [
    key.runId,
    wrapped,
    wrappedBy,
  ]);
}

/** The number in the name of the n-th row's beneficiary. */
export const NAME_NUMBER = 'row_number::bigint * 7919 % 100003';

function rowLike(pattern: PaymentInstruction, n: number): NewRow {
  const [name, rowRef] = [`Bench Supplier ${(n * 7919) % 100_003}`, `LARGE-${n}`];
  const amount = ((100 + ((n * 48_271) % 9_000_017)) / 100).toFixed(2);
  const { beneficiary } = pattern;
  if (beneficiary.kind !== 'details') throw new Error('the row that is repeated does not describe its beneficiary');
  const { bankAccount, ...details } = beneficiary.details;
  const renamed = {
    ...details,
    companyName: name,
    bankAccount: { ...bankAccount, bankAccountHolderName: name, accountNumber: String(10_000_000 + (n % 100_003)) },
  };
  const instruction = {
    ...pattern,
    rowRef,
    line: n + 1,
    amount,
    beneficiary: { kind: 'details' as const, details: renamed },
  };
  return {
    ...{ paymentId: randomUUID(), rowNumber: n, line: n + 1, rowRef, state: 'ready', cells: [rowRef, name, amount] },
    ...{ instruction, errorCode: null, problems: null },
  };
}

const STATES = ['ready', 'ready', 'ready', 'funded', 'processing', 'failed', 'held', 'rejected'];

function withStates(json: Uint8Array): Buffer {
  const rows = JSON.parse(Buffer.from(json).toString()) as { row_number: number; state: string }[];
  return Buffer.from(JSON.stringify(rows.map((row) => ({ ...row, state: STATES[row.row_number % 20] ?? 'paid' }))));
}
