import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { benchRows } from './bench-rows.ts';
import { type BenchStack, openStackDatabase } from './bench-stack.ts';
import { proposeRun } from './pay-run.ts';

const ROWS_PER_STATEMENT = 20_000;

export interface LargeRun {
  runId: string;
  /** From the first row to the last. */
  secondsToFill: number;
}

/**
 * A run in progress of any number of rows: a row of a submitted run, repeated by SQL with the columns that the intake writes,
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
      await addRun(client, { runId, patternId, rowCount });
      for (let from = 0; from < rowCount; from += ROWS_PER_STATEMENT) {
        await client.query(ADD_ROWS, [runId, patternId, from + 1, Math.min(from + ROWS_PER_STATEMENT, rowCount)]);
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

async function addRun(
  client: PoolClient,
  { runId, patternId, rowCount }: { runId: string; patternId: string; rowCount: number },
): Promise<void> {
  await client.query(
    `insert into runs (run_id, account, file_name, file_sha256, header, row_count, state, submitted_by, started_at, decide_within)
     select $1, account, 'large.csv', file_sha256, header, $3, 'running', submitted_by, clock_timestamp(), decide_within
     from runs where run_id = $2`,
    [runId, patternId, rowCount],
  );
}

const NAME = `'Bench Supplier ' || (n::bigint * 7919 % 100003)`;
const AMOUNT = `(100 + (n::bigint * 48271 % 9000017))::numeric / 100`;
const HASH = (of: string): string => `encode(sha256((${of})::text::bytea), 'hex')`;

const ADD_ROWS = `
  insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, cells, instruction, row_hash,
    beneficiary_hash, beneficiary_fingerprint, account_hash, routing_hash, name_hash, sell_currency, buy_currency, amount, amount_side,
    beneficiary_id, error_code, error_message)
  select gen_random_uuid(), $1, pattern.account, n, n + 1, 'LARGE-' || n,
    coalesce((array['ready', 'ready', 'ready', 'funded', 'processing', 'failed', 'held', 'rejected'])[n % 20 + 1], 'paid'),
    cells, instruction || jsonb_build_object('amount', trim_scale(round(${AMOUNT}, 2))::text)
      || jsonb_build_object('beneficiary', jsonb_set(instruction -> 'beneficiary', '{details,bankAccount,bankAccountHolderName}', to_jsonb(${NAME}))),
    ${HASH('n')}, ${HASH(`'b' || n`)}, ${HASH(`'f' || n`)}, ${HASH(`'a' || n % 100003`)}, pattern.routing_hash, ${HASH(NAME)},
    sell_currency, buy_currency, round(${AMOUNT}, 2), amount_side, beneficiary_id, null, null
  from payments pattern, generate_series($3::integer, $4::integer) as n where pattern.run_id = $2`;
