import type { Command } from 'commander';
import { mayAny } from '../../../domain/users/role.ts';
import type { DecidedRun, PayrunClient, RunSummary } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { ask, canAsk } from '../confirm.ts';
import { answeredComment } from './answer-findings.ts';
import { SHORT_HASH, fullHash } from './content-hash.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderFindings } from '../runs/render-findings.ts';
import { renderToApprove } from '../runs/render-proposal.ts';
import { stopNotice } from './render-stops.ts';
import { counted, words } from '../wording.ts';

interface DecisionOptions {
  answers?: string;
  yes?: boolean;
  comment?: string;
  contentHash?: string;
  json?: boolean;
}

const HASH_HELP = `the hash of the content that you have seen, or its first ${SHORT_HASH} characters, from \`show\``;

export function addDecisionCommands(program: Command, io: CommandIo): void {
  program
    .command('approve')
    .description(
      'approve a run for payment: shows what is paid, asks how each alarming finding was checked, and whether to pay',
    )
    .argument('<run>', "the run's id")
    .option('--comment <text>', 'recorded with the decision')
    .option('--answers <file>', 'how each alarming finding was checked: a JSON object, or a CSV of finding,answer')
    .option('--yes', 'pay without being asked')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun approve RUN', 'payrun approve RUN --answers answers.csv --content-hash 1a2b3c4d --yes'),
    )
    .action(async (runId: string, { contentHash: given, json, ...options }: DecisionOptions) => {
      const client = await connectToChange(io);
      const run = await client.getRun({ runId });
      const contentHash = fullHash(run, given ?? null);
      const comment = await commentToApprove(client, { run, contentHash }, options, io);
      const { code } = io;
      if (code !== undefined) {
        const subject = { kind: 'run', id: runId, contentHash, decision: 'approved' } as const;
        await client.stepUpWithTotp({ subject, code });
      }
      const decided = await client.approveRun({ runId, comment, contentHash });
      const { stepsTaken, steps } = decided;
      if (json === true) await writeJson(io, { ...decided.run, stepsTaken, steps });
      else await printApproval(decided, io);
    });

  program
    .command('send')
    .description('send a run of your own for approval that was checked only')
    .argument('<run>', "the run's id")
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun send RUN --content-hash 1a2b3c4d'))
    .action(async (runId: string, { contentHash: given, json }: DecisionOptions) => {
      const client = await connectToChange(io);
      const contentHash = fullHash(await client.getRun({ runId }), given ?? null);
      const run = await client.sendRun({ runId, contentHash });
      if (json === true) await writeJson(io, run);
      else await writeLine(io.stdout, `Sent. Someone else approves it: payrun approve ${printable(runId)}`);
    });

  program
    .command('reject')
    .description('reject a run; it is never paid')
    .argument('<run>', "the run's id")
    .requiredOption('--comment <text>', 'the reason')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun reject RUN --comment "wrong month"'))
    .action(async (runId: string, { comment = '', contentHash: given, json }: DecisionOptions) => {
      const client = await connectToChange(io);
      const run = await client.getRun({ runId });
      const contentHash = fullHash(run, given ?? null);
      const { run: rejected } = await client.rejectRun({ runId, comment, contentHash });
      if (json === true) await writeJson(io, rejected);
      else await writeLine(io.stdout, `Rejected. ${stateOf(rejected)}`);
    });
}

/**
 * The comment to approve with, after printing what is approved: how alarming findings were checked is part of it. Asks before it
 * pays.
 */
async function commentToApprove(
  client: PayrunClient,
  { run, contentHash }: { run: RunSummary; contentHash: string },
  { answers, comment = '', yes }: DecisionOptions,
  io: CommandIo,
): Promise<string | null> {
  const { roles } = await client.getMe();
  // The server refuses a run that this user cannot decide on, and says why.
  if (run.state !== 'in_approval' || !mayAny(roles, 'decide_run')) return comment === '' ? null : comment;
  const review = await client.getReview({ runId: run.runId });
  if (review.contentHash !== contentHash) {
    throw new WrongInput('the run has changed since it was proposed: look at it again in a moment');
  }
  await writeLine(io.stderr, `${renderToApprove(run)}\n\n${renderFindings(review, run)}\n`);
  const answered = await answeredComment(io, review, { answersFile: answers ?? null, comment });
  if (yes !== true) await expectToPay(io, run);
  return answered;
}

/** Throws WrongInput unless somebody says at the terminal that the run is to be paid. */
async function expectToPay(io: CommandIo, { proposal }: RunSummary): Promise<void> {
  // guard: asked-before-it-pays
  if (!canAsk(io)) {
    throw new WrongInput('not approved: there is no terminal to ask at. To approve what is shown above, add --yes');
  }
  const answer = await ask(io, `Approve ${counted(proposal?.payable ?? 0, 'payment')}? (y/N)`);
  if (!['y', 'yes'].includes(answer.toLowerCase())) throw new WrongInput('not approved: nothing was done');
}

async function printApproval({ run, stepsTaken, steps }: DecidedRun, io: CommandIo): Promise<void> {
  if (stepsTaken !== null && steps !== null && stepsTaken < steps) {
    await writeLine(
      io.stdout,
      `Approved: ${stepsTaken} of ${steps} steps are taken, and another person takes the next one.`,
    );
    return;
  }
  await writeLine(io.stdout, `Approved. ${stateOf(run)}`);
  for (const stop of run.stops) await writeLine(io.stdout, `Nothing is paid yet. ${stopNotice(stop)}`);
  await writeLine(io.stdout, `To follow it: payrun watch ${printable(run.runId)}`);
}

function stateOf(run: RunSummary): string {
  const reason = run.stateReason === null ? '' : ` (${printable(run.stateReason)})`;
  return `The run is ${words(run.state)}${reason}.`;
}
