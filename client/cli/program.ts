import { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addDecisionCommands } from './commands/decision-commands.ts';
import { addFileCommands } from './commands/file-commands.ts';
import { addResolveCommand } from './commands/resolve-command.ts';
import { addRunCommands } from './commands/run-commands.ts';
import { addShowCommand } from './commands/show-command.ts';
import { addSubmitCommand } from './commands/submit-command.ts';
import { addSupportingFilesCommand } from './commands/supporting-files-command.ts';
import { addTokenCommands } from './commands/token-commands.ts';

const EXIT_CODES = `
Exit codes: 0 done (with --wait: every row paid), 2 the input is wrong and nothing was done,
3 the run ended with rows not paid, 4 not allowed, 5 a service could not be reached,
6 the audit trail is broken, 1 a bug.
Server and token: PAYRUN_URL and PAYRUN_TOKEN, else those of the payrun that runs from this folder.`;

/**
 * The command `payrun`, with the verbs that speak to a server. Run it by `runCommandLine`, which decides exit codes;
 * by itself it throws instead of ending the process.
 */
export function buildProgram(io: CommandIo): Command {
  const program = new Command('payrun')
    .description('Pays a file of payments through a payment provider, every row exactly once.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError("(see 'payrun help')")
    .addHelpText('after', EXIT_CODES);
  addSubmitCommand(program, io);
  addRunCommands(program, io);
  addShowCommand(program, io);
  addDecisionCommands(program, io);
  addResolveCommand(program, io);
  addFileCommands(program, io);
  addSupportingFilesCommand(program, io);
  addAuditCommands(program, io);
  addTokenCommands(program, io);
  return program;
}
