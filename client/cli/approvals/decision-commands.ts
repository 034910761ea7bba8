import type { Command } from 'commander';
import { mayAny } from '../../../domain/users/role.ts';
import { isAlarming } from '../../../domain/runs/run-finding.ts';
import type { DecidedRun, RunSummary } from '../../../application/application-api.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { SHORT_HASH, shortHash, wholeHash } from './content-hash.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { renderFindings } from '../runs/render-findings.ts';
import { renderToApprove } from '../runs/render-proposal.ts';
import { stopNotice } from './render-stops.ts';
import { words } from '../wording.ts';

interface DecisionOptions {
  comment?: string;
  contentHash?: string;
  json?: boolean;
}

const HASH_HELP = `the content that you have seen, or the first ${SHORT_HASH} characters of it, as \`show\` gives it`;

export function addDecisionCommands(program: Command, io: CommandIo): void {
  program
    .command('approve')
    .description('approve a run, so that it pays; where something stands out, only by the hash of what you have seen')
    .argument('<run>', "the run's id")
    .option('--comment <text>', 'kept with the decision')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, { comment, contentHash: given, json }: DecisionOptions) => {
      const client = await connectToChange(io);
      const run = await client.getRun(runId);
      const contentHash = await hashOfShown(client, run, given ?? null, io);
      const decided = await client.approveRun(runId, { comment: comment ?? null, contentHash });
      const { step, steps } = decided;
      if (json === true) await writeJson(io, { ...decided.run, step, steps });
      else await tellApproval(decided, io);
    });

  program
    .command('reject')
    .description('reject a run, so that it never pays')
    .argument('<run>', "the run's id")
    .requiredOption('--comment <text>', 'why')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, { comment = '', contentHash: given, json }: DecisionOptions) => {
      const client = await connectToChange(io);
      const run = await client.getRun(runId);
      const contentHash = wholeHash(run, given ?? null);
      const { run: rejected } = await client.rejectRun(runId, { comment, contentHash });
      if (json === true) await writeJson(io, rejected);
      else await writeLine(io.stdout, `Rejected. ${stateOf(rejected)}`);
    });
}

/**
 * The hash of the content that is meant, once it has been shown what that is. What stands out so much that somebody
 * should look is approved by the hash of what was seen alone.
 */
async function hashOfShown(
  client: PayrunClient,
  run: RunSummary,
  given: string | null,
  io: CommandIo,
): Promise<string> {
  const contentHash = wholeHash(run, given);
  const { roles } = await client.me();
  // What waits for no decision, or for somebody else's, is refused by the server, which says why.
  if (run.state !== 'in_approval' || !mayAny(roles, 'decide_run')) return contentHash;
  const review = await client.getReview(run.runId);
  if (review.contentHash !== contentHash) {
    throw new WrongInput('the run has changed since it was proposed: look at it again in a moment');
  }
  await writeLine(io.stderr, `${renderToApprove(run)}\n\n${renderFindings(review)}\n`);
  if (given === null && review.findings.some(({ kind }) => isAlarming(kind))) {
    const runId = printable(run.runId);
    throw new WrongInput(
      'not approved, since something stands out: look at it with ' +
        `'payrun show ${runId}', then 'payrun approve ${runId} --content-hash ${shortHash(contentHash)}'`,
    );
  }
  return contentHash;
}

async function tellApproval({ run, step, steps }: DecidedRun, io: CommandIo): Promise<void> {
  if (step !== null && steps !== null && step < steps) {
    await writeLine(io.stdout, `Approved, step ${step} of ${steps}: the next step is for someone else.`);
    return;
  }
  await writeLine(io.stdout, `Approved. ${stateOf(run)}`);
  for (const stop of run.stops) await writeLine(io.stdout, `Nothing of it is paid yet. ${stopNotice(stop)}`);
  await writeLine(io.stdout, `Follow it: payrun watch ${printable(run.runId)}`);
}

function stateOf(run: RunSummary): string {
  const reason = run.stateReason === null ? '' : ` (${printable(run.stateReason)})`;
  return `The run is ${words(run.state)}${reason}.`;
}
