import type { Command } from 'commander';
import type { RunSummary } from '../../engine/engine-api.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { printable } from '../printable.ts';
import { words } from '../wording.ts';

interface DecisionOptions {
  comment?: string;
  contentHash?: string;
  json?: boolean;
}

const HASH_HELP = 'the content that you have seen, as `show` gives it; a run that has changed since is refused';

export function addDecisionCommands(program: Command, io: CommandIo): void {
  program
    .command('approve')
    .description('approve a run, so that it pays')
    .argument('<run>', "the run's id")
    .option('--comment <text>', 'kept with the decision')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, { comment = null, contentHash, json }: WithNullableComment) => {
      const client = await connectToChange(io);
      // Without a hash that the person has seen, the content of this moment is meant, and no later one.
      const hash = contentHash ?? (await client.getRun(runId)).proposal?.contentHash ?? '';
      await tell((await client.approveRun(runId, { comment, contentHash: hash })).run, 'Approved', json, io);
    });

  program
    .command('reject')
    .description('reject a run, so that it never pays')
    .argument('<run>', "the run's id")
    .requiredOption('--comment <text>', 'why')
    .option('--content-hash <hash>', HASH_HELP)
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, { comment = '', contentHash, json }: DecisionOptions) => {
      const client = await connectToChange(io);
      const hash = contentHash ?? (await client.getRun(runId)).proposal?.contentHash ?? '';
      await tell((await client.rejectRun(runId, { comment, contentHash: hash })).run, 'Rejected', json, io);
    });
}

type WithNullableComment = Omit<DecisionOptions, 'comment'> & { comment?: string | null };

async function tell(run: RunSummary, what: string, json: boolean | undefined, io: CommandIo): Promise<void> {
  if (json === true) return writeJson(io, run);
  const reason = run.stateReason === null ? '' : ` (${printable(run.stateReason)})`;
  await writeLine(io.stdout, `${what}. The run is ${words(run.state)}${reason}.`);
  if (what === 'Approved') await writeLine(io.stdout, `Follow it: payrun watch ${printable(run.runId)}`);
}
