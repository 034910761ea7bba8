import type { Command } from 'commander';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { proposedPolicy, renderChanges } from './render-changes.ts';
import { renderChangeState } from '../users/render-users.ts';

/** Changes to users, policy and provider that need two administrators. */
export function addChangeCommands(program: Command, io: CommandIo): void {
  const changes = program
    .command('changes')
    .description('changes to users, policy and provider that need two administrators');

  changes
    .command('list')
    .description('list the pending changes')
    .option('--all', 'decided changes as well')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const client = await connect(io);
      const list = await client.listChanges({ pending: all !== true });
      if (json === true) return writeJson(io, list);
      const inForce = list.changes.some((change) => proposedPolicy(change) !== null) ? await client.getPolicy() : null;
      await writeLine(io.stdout, renderChanges(list.changes, inForce));
    });

  for (const [decision, call, description] of [
    ['confirm', 'confirmChange', 'confirm a change that another administrator proposed, so that it takes effect'],
    ['reject', 'rejectChange', 'reject a change, as an administrator or a checker, so that it never takes effect'],
  ] as const) {
    changes
      .command(decision)
      .description(description)
      .argument('<change>', "the change's id, from `changes list`")
      .option('--json', 'one JSON document on stdout')
      .addHelpText('after', examples(`payrun changes ${decision} CHANGE`))
      .action(async (changeId: string, { json }: { json?: boolean }) => {
        const state = await (await connectToChange(io, changeId))[call]({ changeId });
        await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
      });
  }
}
