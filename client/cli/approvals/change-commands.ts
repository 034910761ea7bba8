import type { Command } from 'commander';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { renderChanges } from './render-changes.ts';
import { renderChangeState } from '../users/render-users.ts';

/** Changes of users, policy and provider that take two administrators. */
export function addChangeCommands(program: Command, io: CommandIo): void {
  const changes = program
    .command('changes')
    .description('changes of users, policy and provider that take two administrators');

  changes
    .command('list')
    .description('list those that are not in effect yet')
    .option('--all', 'those that were decided as well')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const list = await (await connect(io)).changes.list({ pendingOnly: all !== true });
      await (json === true ? writeJson(io, { changes: list }) : writeLine(io.stdout, renderChanges(list)));
    });

  for (const [verb, description] of [
    ['confirm', 'confirm one that another administrator has proposed: it takes effect'],
    ['reject', 'reject one, as an administrator or a checker: it never takes effect'],
  ] as const) {
    changes
      .command(verb)
      .description(description)
      .argument('<change>', "the change's id, as list gives it")
      .option('--json', 'one JSON document on stdout')
      .action(async (changeId: string, { json }: { json?: boolean }) => {
        const state = await (await connectToChange(io)).changes[verb](changeId);
        await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
      });
  }
}
