import type { Command } from 'commander';

export { buildProgram } from './program.ts';
export { runCommandLine } from './run-command-line.ts';

/** Whether the arguments name a command of the program, and not only a group of commands. */
export function hasCommand(program: Command, args: readonly string[]): boolean {
  let command = program;
  for (let at = 0; at < args.length && command.commands.length > 0; at++) {
    const word = args[at] ?? '';
    if (command === program && word === '--as') at++;
    else if (command === program && word.startsWith('--as=')) continue;
    else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next === undefined) return false;
      command = next;
    }
  }
  return command.commands.length === 0;
}
