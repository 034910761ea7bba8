import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { Option } from 'commander';
import { runIsBeingPrepared, WAITING_RUN_STATES } from '../../../domain/runs/run-state.ts';
import {
  type AcceptedSubmission,
  type PayrunClient,
  PayrunUnreachableError,
  type RunReview,
  type RunSummary,
  type RunToSubmit,
} from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { expectAllPaid, followRun } from './follow-run.ts';
import { openPaymentFile, readProfile, readSupportingFiles } from './input-files.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { renderFindings } from './render-findings.ts';
import { renderProblems } from './render-problems.ts';
import { renderProposal } from './render-proposal.ts';
import { counted } from '../wording.ts';

interface SubmitOptions {
  checkOnly?: boolean;
  dryRun?: boolean;
  wait?: boolean;
  onInvalid: 'reject' | 'skip';
  profile?: string;
  files?: string;
  account?: string;
  idempotencyKey?: string;
  json?: boolean;
}

export function addSubmitCommand(program: Command, io: CommandIo): void {
  program
    .command('submit')
    .description('check a payment file and submit it as a run, which someone else approves')
    .argument('<file>', 'a CSV or XLSX file with one row per payment')
    .option('--wait', 'follow the run until it has ended; exit code 0 only if every row is paid')
    .option('--no-wait', 'return at once, without waiting for the proposal')
    .addOption(
      new Option('--on-invalid <what>', 'reject a file with invalid rows, or skip those rows')
        .choices(['reject', 'skip'])
        .default('reject'),
    )
    .option('--check-only', 'keep the run as checked: nobody decides on it until you send it (payrun send)')
    .option('--dry-run', 'show what the run would pay and what stands out in it, then withdraw it')
    .option('--profile <file>', 'how a sheet with other headers is read, as payrun prepare writes it')
    .option('--files <folder>', 'the supporting files that rows name')
    .option('--account <name>', "the provider's account to pay from")
    .option(
      '--idempotency-key <key>',
      'submit again with the same key, for example after a timeout, and it is the same run',
    )
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun submit payroll.csv --wait',
        'payrun submit payroll.csv --dry-run',
        'payrun submit invoices.xlsx --profile invoices.profile.json --files invoices/',
      ),
    )
    .action(async (file: string, options: SubmitOptions) => {
      if (
        options.dryRun === true
          ? options.wait !== undefined || options.checkOnly === true
          : options.checkOnly === true && options.wait === true
      )
        throw new WrongInput('choose one of --wait, --check-only and --dry-run');
      const run = await runToSubmit(file, options, io.cwd);
      const client = await connectToChange(io);
      const receipt = await submit(client, run, io);
      if (options.dryRun === true) return showAndWithdraw(client, receipt, options, io);
      await printReceipt(receipt, options, io);
      if (options.wait === true) await waitForEnd(client, receipt, options, io);
      else if (options.wait !== false && options.json !== true) await printProposal(client, receipt.runId, io);
    });
}

type KeyedRun = RunToSubmit & { idempotencyKey: string };

/** Without an answer nobody knows whether the file was stored: the same submission with its key is the same run. */
async function submit(client: PayrunClient, run: KeyedRun, io: CommandIo): Promise<AcceptedSubmission> {
  try {
    return await client.submitRun(run);
  } catch (error) {
    if (error instanceof PayrunUnreachableError) {
      const again = `repeat the command with --idempotency-key ${run.idempotencyKey}`;
      await writeLine(io.stderr, `It may be a run all the same. To submit it again without a second run, ${again}`);
    }
    throw error;
  }
}

async function runToSubmit(file: string, options: SubmitOptions, cwd: string): Promise<KeyedRun> {
  const { profile, files, account = null, onInvalid, checkOnly = false, dryRun = false } = options;
  return {
    ...(await openPaymentFile(cwd, file)),
    ...(profile === undefined ? {} : { profile: await readProfile(cwd, profile) }),
    files: files === undefined ? [] : await readSupportingFiles(cwd, files),
    account,
    onInvalid,
    checkOnly: checkOnly || dryRun,
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
  };
}

async function printProblems(receipt: AcceptedSubmission, io: CommandIo): Promise<void> {
  const { skipped, skippedCount, warnings, warningCount } = receipt;
  if (skippedCount > 0) await writeLine(io.stderr, `Skipped:\n${renderProblems(skipped, skippedCount)}`);
  if (warningCount > 0) await writeLine(io.stderr, `Warnings:\n${renderProblems(warnings, warningCount, 'warning')}`);
}

async function printReceipt(receipt: AcceptedSubmission, { json, wait }: SubmitOptions, io: CommandIo): Promise<void> {
  const { runId, skippedCount } = receipt;
  await printProblems(receipt, io);
  if (json === true) {
    // With --wait the document follows at the end; a user who interrupts the wait still needs the run's id.
    if (wait === true) await writeLine(io.stderr, `run ${runId}`);
    else await writeJson(io, receipt);
    return;
  }
  const problems = skippedCount === 0 ? '' : ` (${counted(skippedCount, 'problem')} in skipped rows)`;
  await writeLine(io.stdout, `Submitted as run ${runId}${problems}.`);
  if (wait === false) await writeLine(io.stdout, `To see what it would pay: payrun show ${runId}`);
}

/** The run once it is checked, and what stands out in it; null: it has ended, or was decided on already. */
async function checkedRun(client: PayrunClient, runId: string): Promise<{ run: RunSummary; review: RunReview | null }> {
  for await (const run of client.watchRun({ runId })) {
    if (runIsBeingPrepared(run.state)) continue;
    return { run, review: WAITING_RUN_STATES.includes(run.state) ? await client.getReview({ runId }) : null };
  }
  throw new Error('the run was not followed until it is checked');
}

async function writeProposal(
  { run, review }: { run: RunSummary; review: RunReview | null },
  io: CommandIo,
): Promise<void> {
  await writeLine(io.stdout, `\n${renderProposal(run)}\n`);
  if (review !== null) await writeLine(io.stdout, `${renderFindings(review, run)}\n`);
}

/** Prints the proposal as soon as there is one. Throws NotAsRequested when nothing of it can be paid. */
async function printProposal(client: PayrunClient, runId: string, io: CommandIo): Promise<void> {
  const checked = await checkedRun(client, runId);
  const { state, proposal } = checked.run;
  await writeProposal(checked, io);
  if (checked.review === null) expectAllPaid(checked.run);
  else if (state === 'checked')
    await writeLine(io.stdout, `Checked only. To send it for approval: payrun send ${runId}`);
  else if ((proposal?.payable ?? 0) > 0)
    await writeLine(io.stdout, `Someone else approves it: payrun approve ${runId}`);
}

/** What a submission would show; the run is withdrawn before it is shown, so that an interruption leaves nothing to decide on. */
async function showAndWithdraw(
  client: PayrunClient,
  receipt: AcceptedSubmission,
  options: SubmitOptions,
  io: CommandIo,
): Promise<void> {
  const { runId } = receipt;
  const checked = await checkedRun(client, runId);
  if (checked.run.state === 'checked') await client.withdrawRun({ runId, reason: null });
  if (options.json === true) await writeJson(io, { ...receipt, ...checked });
  else {
    await printProblems(receipt, io);
    await writeProposal(checked, io);
  }
  if (checked.review === null) expectAllPaid(checked.run);
  else if (options.json !== true)
    await writeLine(io.stdout, 'Withdrawn: this was a dry run, and nothing of it waits for a decision.');
}

async function waitForEnd(client: PayrunClient, receipt: AcceptedSubmission, options: SubmitOptions, io: CommandIo) {
  const isJson = options.json === true;
  const run = await followRun(client, receipt.runId, io, isJson ? io.stderr : io.stdout);
  if (isJson) await writeJson(io, { ...receipt, run });
  expectAllPaid(run, receipt.skippedCount);
}
