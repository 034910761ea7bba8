import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../client/cli/program.ts';
import { addServiceCommands } from '../../operations/service-commands.ts';
import { aCommandLine } from './cli-harness.ts';

interface Leaf {
  name: string;
  command: Command;
}

function leavesOf(command: Command, name = 'payrun'): Leaf[] {
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((child) => leavesOf(child, `${name} ${child.name()}`));
}

function wholeProgram(): Command {
  const program = buildProgram({ env: {} } as never);
  addServiceCommands(program, { env: {} } as never);
  return program;
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('--help', () => {
  const takingArguments = leavesOf(wholeProgram()).filter(
    ({ command }) => command.registeredArguments.length > 0 || command.options.some(({ mandatory }) => mandatory),
  );

  it.each(takingArguments)('of $name has an example and marks every required option', ({ name, command }) => {
    const help = helpOf(command);
    expect(help).toContain(`$ ${name}`);
    for (const { long, mandatory } of command.options) {
      if (mandatory) expect(help).toMatch(new RegExp(`${long}\\s[^$]*?\\(required\\)`));
    }
  });

  it('lists --code wherever it is taken', () => {
    const leaves = leavesOf(buildProgram({ env: {} } as never));
    for (const name of ['go-live', 'users add', 'second-factor', 'approve', 'changes confirm']) {
      const leaf = leaves.find((each) => each.name === `payrun ${name}`);
      expect([name, leaf === undefined ? '' : helpOf(leaf.command)]).toEqual([
        name,
        expect.stringContaining('--code <digits>'),
      ]);
    }
  });

  it('lists every command in a group', () => {
    const groups = wholeProgram()
      .commands.map((command) => command.helpGroup())
      .filter((group, index, all) => all.indexOf(group) === index);
    expect(groups).toEqual([
      'Payment runs:',
      'Approvals:',
      'Money:',
      'Onboarding:',
      'Users:',
      'Notifications:',
      'Audit:',
      'Operations:',
    ]);
  });

  it('names the exit codes', async () => {
    const { run } = await aCommandLine();
    const { stdout } = await run(['--help']);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 130]) expect(stdout).toMatch(new RegExp(`^ +${code}  \\S`, 'm'));
  });
});
