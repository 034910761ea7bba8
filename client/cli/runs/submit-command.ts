import type { Command } from 'commander';
import { Option } from 'commander';
import type { SubmitReceipt } from '../../../application/application-api.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import type { RunToSubmit } from '../../sdk/submission.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { expectAllPaid, followRun } from './follow-run.ts';
import { readPairs, readPaymentFile, readSupportingFiles } from './input-files.ts';
import { renderFindings } from './render-findings.ts';
import { renderProblems } from './render-problems.ts';
import { renderProposal } from './render-proposal.ts';
import { counted } from '../wording.ts';

interface SubmitOptions {
  wait?: boolean;
  onInvalid: 'reject' | 'skip';
  defaults?: string;
  map?: string;
  files?: string;
  account?: string;
  idempotencyKey?: string;
  json?: boolean;
}

export function addSubmitCommand(program: Command, io: CommandIo): void {
  program
    .command('submit')
    .description('check a payment file and submit it as a run, to be approved by someone else')
    .argument('<file>', 'CSV with a row for each payment')
    .option('--wait', 'follow the run until it has ended; exit with 0 only if every row was paid')
    .option('--no-wait', 'do not even wait until it is known what the run would do')
    .addOption(
      new Option('--on-invalid <what>', 'what becomes of a file with invalid rows')
        .choices(['reject', 'skip'])
        .default('reject'),
    )
    .option('--defaults <file>', 'columns that are the same for all rows: a JSON object, or a CSV of column,value')
    .option('--map <file>', "other people's headers: a JSON object, or a CSV of header,column")
    .option('--files <folder>', 'supporting files that rows mention by name')
    .option('--account <name>', "the provider's account to pay from")
    .option('--idempotency-key <key>', 'submitted again with the same key, as when no answer came, it is the same run')
    .option('--json', 'one JSON document on stdout')
    .action(async (file: string, options: SubmitOptions) => {
      const run = await runToSubmit(file, options, io.cwd);
      const client = await connectToChange(io);
      const receipt = await client.submitRun(run);
      await tellReceipt(receipt, options, io);
      if (options.wait === true) await waitForEnd(client, receipt, options, io);
      else if (options.wait !== false && options.json !== true) await tellProposal(client, receipt.runId, io);
    });
}

async function runToSubmit(file: string, options: SubmitOptions, cwd: string): Promise<RunToSubmit> {
  const { defaults, map, files, account = null, onInvalid, idempotencyKey } = options;
  return {
    ...(await readPaymentFile(cwd, file)),
    defaults: defaults === undefined ? {} : await readPairs(cwd, defaults, ['column', 'value']),
    mapping: map === undefined ? {} : await readPairs(cwd, map, ['header', 'column']),
    files: files === undefined ? [] : await readSupportingFiles(cwd, files),
    account,
    onInvalid,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

async function tellReceipt(receipt: SubmitReceipt, { json, wait }: SubmitOptions, io: CommandIo): Promise<void> {
  const { runId, skipped, skippedCount, warnings, warningCount } = receipt;
  if (skippedCount > 0) await writeLine(io.stderr, `Left out:\n${renderProblems(skipped, skippedCount)}`);
  if (warningCount > 0) await writeLine(io.stderr, `Warnings:\n${renderProblems(warnings, warningCount, 'warning')}`);
  if (json === true) {
    // With --wait the one document comes at the end; whoever kills the wait still needs to know the run.
    if (wait === true) await writeLine(io.stderr, `run ${runId}`);
    else await writeJson(io, receipt);
    return;
  }
  const problems = skippedCount === 0 ? '' : ` (${counted(skippedCount, 'problem')} in rows left out)`;
  await writeLine(io.stdout, `Submitted as run ${runId}${problems}.`);
  if (wait === false) await writeLine(io.stdout, `See what it would do: payrun show ${runId}`);
}

/** What the run would do, as soon as that is known. Throws NotAllPaid when nothing of it can be paid. */
async function tellProposal(client: PayrunClient, runId: string, io: CommandIo): Promise<void> {
  for await (const run of client.watchRun(runId)) {
    if (run.state === 'validating' || run.state === 'proposed') continue;
    await writeLine(io.stdout, `\n${renderProposal(run)}\n`);
    if (run.state !== 'in_approval') {
      expectAllPaid(run);
      return;
    }
    await writeLine(io.stdout, `${renderFindings(await client.getReview(runId))}\n`);
    await writeLine(io.stdout, `Someone else approves it: payrun approve ${runId}`);
    return;
  }
}

async function waitForEnd(client: PayrunClient, receipt: SubmitReceipt, options: SubmitOptions, io: CommandIo) {
  const isJson = options.json === true;
  const run = await followRun(client, receipt.runId, io, isJson ? io.stderr : io.stdout);
  if (isJson) await writeJson(io, { ...receipt, run });
  expectAllPaid(run, receipt.skippedCount);
}
