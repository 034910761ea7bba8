import { createWriteStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import type { PayrunClient, RowSummary, RunToSubmit } from '../../client/sdk/index.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const FILE_NAME = 'supplier-payments.csv';

/** The example as a person would submit it: the CSV and its supporting files. */
export async function demoSubmission(): Promise<RunToSubmit> {
  const folder = join(EXAMPLES, 'files');
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, contentType: fileKindOf(bytes).contentType ?? 'application/octet-stream', bytes };
    }),
  );
  return { fileName: FILE_NAME, file: await readFile(join(EXAMPLES, FILE_NAME)), files };
}

export async function collectRows(client: PayrunClient, runId: string): Promise<RowSummary[]> {
  const rows: RowSummary[] = [];
  for await (const row of client.eachRow({ runId })) rows.push(row);
  return rows;
}

/** Writes results.csv and exceptions.csv into the folder. Returns their paths. */
export async function writeResultFiles(client: PayrunClient, runId: string, folder: string): Promise<string[]> {
  const written = { 'results.csv': client.getResults({ runId }), 'exceptions.csv': client.getExceptions({ runId }) };
  for (const [name, chunks] of Object.entries(written)) await pipeline(chunks, createWriteStream(join(folder, name)));
  return Object.keys(written).map((name) => join(folder, name));
}

/** Reads the ledger of the sandbox from its control API. */
export async function readSandboxLedger<Ledger>(sandboxUrl: string): Promise<Ledger> {
  const answer = await fetch(`${sandboxUrl}/__sandbox/ledger`);
  if (!answer.ok) throw new Error(`the sandbox does not show its ledger (HTTP ${answer.status})`);
  return (await answer.json()) as Ledger;
}

const ROW_START = /^([^,]*),[^,]*,buy,USD,/;

/** Two rows of the example, paid from pounds. */
export async function demoRunInPounds(): Promise<RunToSubmit> {
  const [header = '', first = '', second = ''] = (await readFile(join(EXAMPLES, FILE_NAME), 'utf8')).split('\n');
  const inPounds = [
    first.replace(ROW_START, '$1,2000.00,sell,GBP,'),
    // Another amount: else it would be a suspected duplicate.
    second.replace(ROW_START, '$1,1500.00,sell,GBP,'),
  ];
  return { fileName: 'pounds.csv', file: Buffer.from(`${[header, ...inPounds].join('\n')}\n`), files: [] };
}

/** Credits a balance of the sandbox, as a deposit. */
export function putIntoSandbox(sandboxUrl: string, currency: string, credit: string): Promise<void> {
  return control(sandboxUrl, 'balance', { currency, credit });
}

export function moveSandboxClock(sandboxUrl: string, advanceMs: number): Promise<void> {
  return control(sandboxUrl, 'clock', { advanceMs });
}

async function control(sandboxUrl: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/__sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the sandbox does not take ${path} (HTTP ${answer.status})`);
}
